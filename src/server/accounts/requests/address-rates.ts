/** How often an address may request each path. Reading one's own session is not limited. */
export const ADDRESS_RATES = {
  "/sign-in/*": { window: 60, max: 20 },
  "/sign-up/*": { window: 60, max: 20 },
  "/request-password-reset": { window: 60, max: 5 },
  "/forget-password": { window: 60, max: 5 },
  "/send-verification-email": { window: 60, max: 5 },
  "/reset-password": { window: 60, max: 10 },
  "/change-password": { window: 60, max: 10 },
  "/change-email": { window: 60, max: 10 },
  "/delete-user": { window: 60, max: 10 },
  "/one-time-token/verify": { window: 60, max: 20 },
  "/two-factor/*": { window: 60, max: 20 },
  "/passkey/*": { window: 60, max: 30 },
  // Requests that the sign-in page sends before any attempt.
  "/sign-in-providers": false as const,
  "/get-session": false as const,
  "/token": false as const,
  "/jwks": false as const,
  "/ok": false as const,
};
