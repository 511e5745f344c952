import { useState } from "react";
import { Button } from "../../ui/button.tsx";
import { DeleteDialog } from "./delete-dialog.tsx";
import { SettingsSection } from "./settings-section.tsx";

export function DeleteSection({ email }: { readonly email: string }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <SettingsSection
      id="delete"
      title="Delete account"
      text="Your sign-in goes for good. What happened in the ledger stays in the ledger."
    >
      <Button variant="danger" onClick={() => setIsOpen(true)}>
        Delete account
      </Button>
      {isOpen ? <DeleteDialog email={email} onClose={() => setIsOpen(false)} /> : null}
    </SettingsSection>
  );
}
