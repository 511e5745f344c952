import { Checkbox } from "../ui/checkbox.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { useSharedValue } from "../ui/shared-value.ts";
import { KeyNames } from "./key-names.tsx";
import { SHORTCUT_GROUPS, SHORTCUTS, type ShortcutId } from "./shortcuts.ts";
import { singleKeys } from "./use-shortcut.ts";

const IDS = Object.keys(SHORTCUTS) as ShortcutId[];

/**
 * The list of keyboard shortcuts, with a switch for single-key shortcuts. Loaded lazily, hence the
 * default export.
 */
export default function ShortcutSheet({ onClose }: { readonly onClose: () => void }) {
  const isOn = useSharedValue(singleKeys) === "on";
  return (
    <Dialog onClose={onClose} title="Keyboard shortcuts" className="sm:max-w-2xl!">
      <div className="grid gap-x-8 gap-y-5 sm:grid-cols-2">
        {SHORTCUT_GROUPS.map((group) => (
          <section key={group} aria-label={group}>
            <h3 className="mb-1.5 text-xs font-semibold text-muted">{group}</h3>
            <dl className="grid gap-1.5 text-sm">
              {IDS.filter((id) => SHORTCUTS[id].group === group).map((id) => (
                <div key={id} className="flex items-center justify-between gap-3">
                  <dt>{SHORTCUTS[id].text}</dt>
                  <dd>
                    <KeyNames shortcut={id} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <Checkbox
        label="Shortcuts of a single key"
        checked={isOn}
        onChange={() => singleKeys.set(isOn ? "off" : "on")}
        className="mt-5 border-t pt-4"
      />
    </Dialog>
  );
}
