/**
 * Removes code of React's features that the pages never use and tree shaking cannot find, since React reaches it
 * from its work loop: view transitions, activities, lists of suspense boundaries, refs of fragments, actions of
 * forms, and its functions that load resources in advance.
 */
import { parseAst, type Plugin } from "vite";

const CLIENT = /\/react-dom\/cjs\/react-dom-client\.production\.js$/;

/** Functions that run only if a page uses one of these features, or that do nothing unless it does. */
export const UNUSED_FUNCTIONS: ReadonlySet<string> = new Set([
  // View transitions
  "applyViewTransitionName",
  "applyViewTransitionToHostInstances",
  "applyViewTransitionToHostInstancesRecursive",
  "commitAfterMutationEffectsOnFiber",
  "commitAppearingPairViewTransitions",
  "commitDeletedPairViewTransitions",
  "commitEnterViewTransitions",
  "commitExitViewTransitions",
  "commitNestedViewTransitions",
  "createViewTransitionInstance",
  "getViewTransitionClassName",
  "getViewTransitionName",
  "measureNestedViewTransitions",
  "measureViewTransitionHostInstancesRecursive",
  "recursivelyTraverseAfterMutationEffects",
  "restoreEnterOrExitViewTransitions",
  "restoreNestedViewTransitions",
  "restorePairedViewTransitions",
  "restoreViewTransitionName",
  "restoreViewTransitionOnHostInstances",
  "scheduleViewTransitionEvent",
  "startViewTransition",
  "trackEnterViewTransitions",
  // Activities and lists of suspense boundaries
  "mountActivityChildren",
  "retryActivityComponentWithoutHydrating",
  "updateActivityComponent",
  "initSuspenseListRenderState",
  "updateSuspenseListComponent",
  // Refs of fragments
  "commitNewChildToFragmentInstance",
  "commitNewChildToFragmentInstances",
  "deleteChildFromFragmentInstance",
  // Actions of forms and optimistic state
  "dispatchActionState",
  "dispatchOptimisticSetState",
  "mountActionState",
  "rerenderActionState",
  "runActionStateAction",
  "updateActionState",
  "updateActionStateImpl",
  "updateOptimisticImpl",
  // Loading resources in advance
  "preconnectAs",
  "preinitModuleScript",
  "preinitScript",
  "preinitStyle",
  "preload",
  "preloadModule",
]);
const FRAGMENT_METHOD = "FragmentInstance.prototype.";

export function leanReact(): Plugin {
  return {
    name: "lean-react",
    apply: "build",
    enforce: "pre",
    applyToEnvironment: ({ name }) => name === "client",
    transform: {
      filter: { id: CLIENT },
      handler: (code) => ({ code: withoutUnusedFeatures(code), map: null }),
    },
  };
}

/**
 * React's client with these functions empty.
 * @throws Error if the client lacks one of them
 */
export function withoutUnusedFeatures(client: string): string {
  const missing = new Set(UNUSED_FUNCTIONS);
  let lean = "";
  let done = 0;
  const cut = (start: number, end: number, instead: string) => {
    lean += client.slice(done, start) + instead;
    done = end;
  };
  for (const node of parseAst(client).body) {
    if (node.type === "FunctionDeclaration") {
      const { id, body } = node;
      if (id !== null && body !== null && missing.delete(id.name)) cut(body.start, body.end, "{}");
    } else if (client.startsWith(FRAGMENT_METHOD, node.start)) cut(node.start, node.end, "");
  }
  if (missing.size > 0) {
    throw new Error(`React lacks ${[...missing].join(", ")}: adapt scripts/lean-react.ts`);
  }
  return lean + client.slice(done);
}
