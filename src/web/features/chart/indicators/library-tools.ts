/** Registers the chart library's remaining indicators and its drawing tools. Loaded on demand. */
import { registerIndicator, registerOverlay } from "klinecharts";
import tools from "virtual:chart-tools";

for (const indicator of tools.indicators) registerIndicator(indicator);
for (const drawing of tools.drawings) registerOverlay(drawing);
