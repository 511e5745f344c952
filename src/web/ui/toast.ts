/** A short message about something that went well. Its code is loaded when it is first needed. */
export function toastSuccess(text: string): void {
  void import("sonner").then(({ toast }) => toast.success(text));
}
