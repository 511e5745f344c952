/** Parts of the chart library that load on demand; built by scripts/chart-parts.ts. */
declare module "virtual:chart-tools" {
  import type { IndicatorTemplate, OverlayTemplate } from "klinecharts";

  const tools: {
    readonly indicators: readonly IndicatorTemplate[];
    readonly drawings: readonly OverlayTemplate[];
  };
  export default tools;
}
