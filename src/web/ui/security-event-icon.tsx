import {
  Ban,
  Eye,
  KeyRound,
  Link2,
  LogIn,
  LogOut,
  type LucideIcon,
  Mail,
  Shield,
  ShieldAlert,
  Trash2,
  UserCog,
  UserPlus,
} from "lucide-react";
import { classNames } from "./class-names.ts";

/** Icons by the kind of event; the first match applies. */
const ICONS: readonly (readonly [RegExp, LucideIcon])[] = [
  [/failed|wrong|locked|refused/i, ShieldAlert],
  [/^signedUp/, UserPlus],
  [/^signedIn/, LogIn],
  [/^signedOut|^session/, LogOut],
  [/password|passkey|backupCode|factor/i, KeyRound],
  [/email/i, Mail],
  [/provider/i, Link2],
  [/role|profile/i, UserCog],
  [/^banned/, Ban],
  [/impersonation/i, Eye],
  [/delet/i, Trash2],
];

interface SecurityEventIconProps {
  readonly kind: string;
  readonly isRefused: boolean;
}

/** The icon of a security event; decorative, because its row has the same information as text. */
export function SecurityEventIcon({ kind, isRefused }: SecurityEventIconProps) {
  const Icon = ICONS.find(([pattern]) => pattern.test(kind))?.[1] ?? Shield;
  return (
    <Icon
      aria-hidden
      className={classNames("size-4 shrink-0", isRefused ? "text-warn" : "text-faint")}
    />
  );
}
