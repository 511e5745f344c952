import type { ReactNode } from "react";
import { LazyToaster } from "./lazy-toaster.tsx";
import { LeaveGuard } from "./leave-guard.tsx";
import { SiteFrame } from "./site-frame.tsx";

/** The page shell of the sign-in and sign-up forms. */
export function AccountFrame(props: {
  readonly productName: string;
  readonly children: ReactNode;
}) {
  return (
    <>
      <SiteFrame
        productName={props.productName}
        // No link to sign in, because this page is the sign-in form.
        entrance="none"
        mainClassName="flex items-start justify-center px-4 pb-16 pt-[6vh]"
      >
        {props.children}
      </SiteFrame>
      <LazyToaster />
      <LeaveGuard />
    </>
  );
}
