import { Command as Menu } from "cmdk";
import { Search } from "lucide-react";
import * as Radix from "radix-ui/dialog";
import { useMemo, useRef, useState } from "react";
import { type Command, useCommands } from "../keyboard/commands.ts";
import { KeyNames } from "../keyboard/key-names.tsx";
import { storedChoice, useSharedValue } from "../ui/shared-value.ts";
import { rankCommands } from "./rank-commands.ts";
import { useOwnCommands } from "./use-own-commands.ts";

const GROUP =
  "px-1.5 pb-1.5 [&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:py-1.5 [&_[cmdk-group-heading]]:text-2xs [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-faint";

const RECENT_MAX = 5;

/** Ids of the most recently used commands, newest first. */
const recentCommands = storedChoice<readonly string[]>("openbell.commands", (given) =>
  Array.isArray(given) ? given.filter((id) => typeof id === "string").slice(0, RECENT_MAX) : [],
);

interface CommandPaletteProps {
  readonly isImpersonated: boolean;
  readonly onClose: () => void;
}

/** A search over pages, markets and actions. Loaded lazily, hence the default export. */
export default function CommandPalette({ isImpersonated, onClose }: CommandPaletteProps) {
  const offered = useCommands();
  const own = useOwnCommands(isImpersonated);
  const recent = useSharedValue(recentCommands);
  const [pointed, setPointed] = useState("");
  const opener = useRef<Element | null>(null);
  const commands = useMemo(() => [...offered, ...own], [offered, own]);
  const [search, setSearch] = useState("");
  const groups = useMemo(
    () =>
      search.trim() === ""
        ? groupsOf(commands, recent)
        : [{ group: "Results", commands: rankCommands(commands, search) }],
    [commands, recent, search],
  );
  const values = groups.flatMap(({ group, commands: listed }) =>
    listed.map((command) => valueOf(group, command)),
  );
  /** The command that closed the palette, which may move the focus itself. */
  const chosen = useRef<Command | null>(null);
  const choose = (command: Command) => {
    const others = recent.filter((id) => id !== command.id);
    recentCommands.set([command.id, ...others].slice(0, RECENT_MAX));
    chosen.current = command;
    onClose();
    // Run after the dialog has closed: some commands open a dialog or move the focus.
    setTimeout(command.run);
  };
  return (
    <Radix.Root open onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-page/75" />
        <Radix.Content
          aria-describedby={undefined}
          className="fixed inset-x-2 top-[8vh] z-50 mx-auto flex max-h-[min(32rem,80dvh)] max-w-xl flex-col overflow-hidden rounded-lg border border-line-strong bg-raised shadow-2xl"
          onOpenAutoFocus={() => {
            opener.current = document.activeElement;
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (chosen.current === null && opener.current instanceof HTMLElement) {
              opener.current.focus();
            }
          }}
        >
          <Radix.Title className="sr-only">Command palette</Radix.Title>
          <Menu
            label="Commands"
            loop
            shouldFilter={false}
            // Markets may load after the search was typed; Enter then takes the first match.
            value={values.includes(pointed) ? pointed : (values[0] ?? "")}
            onValueChange={setPointed}
            className="flex min-h-0 flex-col"
          >
            <div className="flex h-12 shrink-0 items-center gap-2.5 border-b border-line-strong px-3.5">
              <Search className="size-4 shrink-0 text-faint" aria-hidden />
              <Menu.Input
                value={search}
                onValueChange={(text) => {
                  setSearch(text);
                  setPointed("");
                }}
                placeholder="Search pages, markets and actions"
                className="h-full min-w-0 flex-1 bg-transparent text-sm outline-none placeholder:text-faint"
              />
            </div>
            <Menu.List className="min-h-0 flex-1 scroll-py-8 overflow-y-auto pt-1.5">
              <Menu.Empty className="px-4 py-8 text-center text-sm text-muted">
                Nothing found. Try a market such as BTC or a page such as Portfolio.
              </Menu.Empty>
              {groups.map(({ group, commands: listed }) => (
                <Menu.Group key={group} heading={group} className={GROUP}>
                  {listed.map((command) => (
                    <Menu.Item
                      key={command.id}
                      value={valueOf(group, command)}
                      onSelect={() => choose(command)}
                      className="flex min-h-9 cursor-pointer select-none items-center justify-between gap-3 rounded-md px-2 py-1.5 text-sm text-text data-[selected=true]:bg-hover forced-colors:data-[selected=true]:outline-2"
                    >
                      <span className="min-w-0">{command.title}</span>
                      {command.shortcut === undefined ? null : (
                        <span className="pointer-coarse:hidden">
                          <KeyNames shortcut={command.shortcut} />
                        </span>
                      )}
                    </Menu.Item>
                  ))}
                </Menu.Group>
              ))}
            </Menu.List>
          </Menu>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

interface CommandGroup {
  readonly group: string;
  readonly commands: readonly Command[];
}

/** Order of the groups, most used first; other groups follow. */
const GROUP_ORDER = ["Trade", "Pages", "Markets", "Layout", "Chart", "Preferences", "Account"];

/** Groups the commands, with recent commands as the first group; each command appears once. */
function groupsOf(commands: readonly Command[], recent: readonly string[]): CommandGroup[] {
  const byId = new Map(commands.map((command) => [command.id, command]));
  const used = recent.flatMap((id) => byId.get(id) ?? []);
  const rest = Map.groupBy(
    [...byId.values()].filter((command) => !used.includes(command)),
    ({ group }) => group,
  );
  return [
    ...(used.length === 0 ? [] : [{ group: "Recent", commands: used }]),
    ...[...rest]
      .map(([group, listed]) => ({ group, commands: listed }))
      .sort((left, right) => groupRank(left.group) - groupRank(right.group)),
  ];
}

function groupRank(group: string): number {
  const index = GROUP_ORDER.indexOf(group);
  return index < 0 ? GROUP_ORDER.length : index;
}

function valueOf(group: string, { id }: Command): string {
  return `${group} ${id}`;
}
