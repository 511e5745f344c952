import type { ComponentProps, FormEvent } from "react";

interface FormProps extends ComponentProps<"form"> {
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => unknown;
}

/**
 * A form that the page's script checks and sends. Without the script it is posted, so that nothing typed
 * stands in an address.
 */
export function Form({ className = "grid gap-4", onSubmit, ...rest }: FormProps) {
  return (
    <form
      method="post"
      noValidate
      className={className}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(event);
      }}
      {...rest}
    />
  );
}
