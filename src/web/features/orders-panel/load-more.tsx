import { Button } from "../../ui/button.tsx";

interface LoadMoreProps {
  readonly hasMore: boolean;
  readonly isLoading: boolean;
  readonly onLoad: () => void;
}

export function LoadMore({ hasMore, isLoading, onLoad }: LoadMoreProps) {
  if (!hasMore) return null;
  return (
    <div className="flex justify-center p-2">
      <Button size="sm" busy={isLoading} onClick={onLoad}>
        Load more
      </Button>
    </div>
  );
}
