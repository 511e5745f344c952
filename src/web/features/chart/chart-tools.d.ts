/** The parts of the chart library that a first chart does not need; made by scripts/chart-parts.ts. */
declare module "virtual:chart-tools" {
  import type { IndicatorTemplate, OverlayTemplate } from "klinecharts";

  const tools: {
    readonly indicators: readonly IndicatorTemplate[];
    readonly drawings: readonly OverlayTemplate[];
  };
  export default tools;
}
