import { createFileRoute, redirect } from "@tanstack/react-router";
import { AppFrame } from "../frame/app-frame.tsx";
import { ErrorPage } from "../frame/error-pages.tsx";
import { loadFrame } from "../frame/load-frame.ts";
import { redirectFromApp, returnFromLogin } from "../session/guards.ts";
import { carriedToken, withoutOneTimeToken } from "../session/one-time-token.ts";

export const Route = createFileRoute("/_app")({
  beforeLoad: ({ context, location }) => {
    const to = redirectFromApp(context.userId);
    if (to === null) return;
    const { href } = location;
    const search = { ...returnFromLogin(withoutOneTimeToken(href)), ...carriedToken(href) };
    throw redirect({ to, search });
  },
  loader: async ({ context }) => {
    await loadFrame(context.queryClient);
  },
  errorComponent: ErrorPage,
  component: App,
});

function App() {
  return <AppFrame />;
}
