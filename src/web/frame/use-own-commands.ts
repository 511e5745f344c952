import { useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import { functions } from "#contract/functions.ts";
import type { Market } from "#contract/types.ts";
import type { CurrentUser } from "#contract/users.ts";
import { changePreferences, type Preferences, usePreferences } from "../format/preferences.ts";
import type { Command } from "../keyboard/commands.ts";
import { useSite } from "../session/site.ts";
import { signOut } from "../session/sign-out.ts";
import { useFrameQuery } from "../session/use-frame-query.ts";
import { useIsSignedIn } from "../session/use-is-signed-in.ts";
import { toastError } from "../ui/toast.ts";
import { ADMIN_PAGES, PHONE_PAGES } from "./navigation.tsx";

const NO_MARKETS: readonly Market[] = [];

/** The commands of every page: open pages and markets, change the display, sign out. */
export function useOwnCommands(isImpersonated: boolean): readonly Command[] {
  const navigate = useNavigate();
  const isSignedIn = useIsSignedIn();
  const { offers } = useSite();
  const preferences = usePreferences();
  const { data: isAdmin = false } = useFrameQuery(
    functions.users.current,
    isSignedIn ? {} : "skip",
    isAdminOf,
  );
  const { data: markets = NO_MARKETS } = useFrameQuery(functions.markets.list, {});
  return useMemo(() => {
    const pages: Command[] = pagesFor(isSignedIn, isAdmin, offers.signUp).map(({ to, label }) => ({
      id: `page ${to}`,
      group: "Pages",
      title: label,
      run: () => void navigate({ to }),
    }));
    const trade: Command[] = markets.map(({ symbol, base, quote, baseName }) => ({
      id: `market ${symbol}`,
      group: "Markets",
      title: `${base}/${quote}`,
      keywords: `${symbol} ${baseName} market trade`,
      run: () => void navigate({ to: "/trade", search: { market: symbol } }),
    }));
    const leave: Command = {
      id: "signOut",
      group: "Account",
      title: "Sign out",
      keywords: "log out leave",
      run: () => void signOut().catch(() => toastError("You could not be signed out. Try again.")),
    };
    return [
      ...pages,
      ...trade,
      ...preferenceCommands(preferences, isSignedIn),
      ...(isSignedIn && !isImpersonated ? [leave] : []),
    ];
  }, [navigate, isSignedIn, isAdmin, isImpersonated, offers.signUp, preferences, markets]);
}

const VISITOR_PAGES = [
  { to: "/", label: "Home" },
  { to: "/trade", label: "Trade" },
  { to: "/login", label: "Sign in" },
] as const;
const SIGN_UP = { to: "/signup", label: "Sign up" } as const;

function pagesFor(isSignedIn: boolean, isAdmin: boolean, offersSignUp: boolean) {
  if (!isSignedIn) return offersSignUp ? [...VISITOR_PAGES, SIGN_UP] : VISITOR_PAGES;
  return isAdmin ? [...PHONE_PAGES, ...ADMIN_PAGES.slice(-1)] : PHONE_PAGES;
}

const COLOUR_TITLES = {
  greenRed: "Colours: green up, red down",
  redGreen: "Colours: red up, green down",
  colourBlind: "Colours: blue up, orange down",
} as const satisfies Record<Preferences["colours"], string>;

function preferenceCommands(
  { colours, density, sounds }: Preferences,
  isSignedIn: boolean,
): Command[] {
  const command = (id: string, title: string, change: Partial<Preferences>): Command => ({
    id,
    group: "Preferences",
    title,
    keywords: "settings appearance display",
    run: () => changePreferences(change),
  });
  const others = (["greenRed", "redGreen", "colourBlind"] as const).filter(
    (each) => each !== colours,
  );
  return [
    density === "compact"
      ? command("density", "Density: comfortable", { density: "comfortable" })
      : command("density", "Density: compact", { density: "compact" }),
    ...others.map((each) => command(`colours ${each}`, COLOUR_TITLES[each], { colours: each })),
    ...(isSignedIn
      ? [
          command("sounds", sounds ? "Sounds: off" : "Sounds: on, for your trades", {
            sounds: !sounds,
          }),
        ]
      : []),
  ];
}

function isAdminOf(user: CurrentUser | null): boolean {
  return user?.role === "admin";
}
