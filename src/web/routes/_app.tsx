import { createFileRoute, redirect } from "@tanstack/react-router";
import { AppFrame } from "../frame/app-frame.tsx";
import { ErrorPage } from "../frame/error-pages.tsx";
import { loadFrame } from "../frame/load-frame.ts";
import { redirectFromApp, returnFromLogin } from "../session/guards.ts";

export const Route = createFileRoute("/_app")({
  beforeLoad: ({ context, location }) => {
    const to = redirectFromApp(context.userId);
    if (to !== null) throw redirect({ to, search: returnFromLogin(location.href) });
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
