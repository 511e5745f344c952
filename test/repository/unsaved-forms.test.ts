/** Every form of the pages asks before its entries are lost, or is listed here with why it does not. */
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const FEATURES = "src/web/features";

/** Each component that draws a form, also by way of another one. */
const DRAWS_A_FORM = /<(?:Form|form|ConfirmedForm|ActionDialog)\b/;
const ASKS = /\buseUnsavedChanges\(|\bisDirty=/;

const UNASKED: Readonly<Record<string, readonly string[]>> = {
  "sign-in, a password or a code": [
    "accounts/forgot-password-form.tsx",
    "accounts/login-form.tsx",
    "accounts/reset-password-form.tsx",
    "accounts/two-factor-form.tsx",
    "accounts/verification-landing.tsx",
    "settings/delete-dialog.tsx",
    "settings/sign-in-again-dialog.tsx",
    "settings/two-factor-dialog.tsx",
  ],
  "one or two numbers": [
    "chart/orders/order-lines-menu.tsx",
    "order-ticket/order-ticket.tsx",
    "orders-panel/change-order-dialog.tsx",
    "transfers/deposit-panel.tsx",
    "transfers/withdraw-panel.tsx",
  ],
  "a choice or a confirmation": [
    "admin/delete-dialog.tsx",
    "admin/impersonate-dialog.tsx",
    "admin/role-dialog.tsx",
    "admin/second-factor-dialog.tsx",
    "admin/user-sessions.tsx",
    "settings/change-plan-dialog.tsx",
  ],
  "a trial on the public site": ["documents/try-call.tsx"],
  "the frame of the forms that use it": ["transfers/confirmed-form.tsx"],
};

test("every form registers its unsaved changes, or is known not to", () => {
  const unasked = globSync(`${FEATURES}/**/*.tsx`).filter((path) => {
    const source = readFileSync(path, "utf8");
    return DRAWS_A_FORM.test(source) && !ASKS.test(source);
  });
  const known = Object.values(UNASKED).flat();
  expect(unasked.map((path) => path.slice(FEATURES.length + 1)).sort()).toEqual(known.sort());
});
