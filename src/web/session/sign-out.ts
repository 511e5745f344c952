/** Ends the session and shows the public page anew, so that nothing of the user stays in memory. */
export async function signOut(): Promise<void> {
  const { authClient } = await import("./auth-client.ts");
  const { error } = await authClient.signOut();
  if (error) throw new Error(error.message ?? "You could not be signed out.");
  window.location.assign("/");
}
