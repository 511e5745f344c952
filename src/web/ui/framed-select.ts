/**
 * Classes of a `PlainSelect` in a form: framed like an input, its text at the same place. 16 px text on phones:
 * Safari zooms into smaller controls.
 */
export const framedSelect = "h-9 border-control/70! bg-page! pl-3! text-base! sm:text-sm!";
