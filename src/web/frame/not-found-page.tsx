import { useRouteContext } from "@tanstack/react-router";
import { buttonClass } from "../ui/button.tsx";
import { Message } from "./error-pages.tsx";
import { SiteFrame } from "./site-frame.tsx";

/** Shown for unknown URLs. Loaded lazily, hence the default export. */
export default function NotFoundPage() {
  const { productName, userId } = useRouteContext({ from: "__root__" });
  return (
    <SiteFrame
      productName={productName}
      entrance={userId === null ? "signIn" : "dashboard"}
      mainClassName="grid place-items-center"
    >
      <Message title="Page not found" text="The page you are looking for does not exist.">
        <a href="/" className={buttonClass({ variant: "primary" })}>
          Go home
        </a>
        <a href="/trade" className={buttonClass({ variant: "secondary" })}>
          Watch the market
        </a>
      </Message>
    </SiteFrame>
  );
}
