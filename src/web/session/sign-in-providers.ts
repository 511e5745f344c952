import { queryOptions } from "@tanstack/react-query";
import { siteOfPage } from "./site.ts";

export interface SignInProvider {
  readonly id: string;
  readonly name: string;
}

async function listProviders(): Promise<readonly SignInProvider[]> {
  const answer = await fetch(`${siteOfPage().accountsPath}/sign-in-providers`);
  if (!answer.ok) throw new Error("The sign-in providers could not be read.");
  return (await answer.json()) as SignInProvider[];
}

/** The sign-in providers that the operator has enabled. */
export const signInProvidersQuery = queryOptions({
  queryKey: ["signInProviders"],
  queryFn: listProviders,
  staleTime: Infinity,
});
