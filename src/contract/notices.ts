/** Notices of changes to a user's orders, money and account, for the notification centre. */

export const NOTICE_KINDS = ["fill", "order", "alert", "funds", "security"] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** Where notices of a kind are announced, in addition to the notification centre. */
export interface NoticeSwitches {
  /** A toast on the open page, and the count on the bell. */
  page: boolean;
  /** The browser's own notification, if the browser allows it. */
  browser: boolean;
  /** A mail to the user's confirmed address. */
  mail: boolean;
}
export type NoticeSettings = Record<NoticeKind, NoticeSwitches>;

export type NoticeLink =
  | { page: "fill"; orderId: string; tradeId: number }
  | { page: "order"; orderId: string }
  | { page: "market"; market: string }
  | { page: "settings" }
  | { page: "activity" };

export interface Notice {
  noticeId: string;
  kind: NoticeKind;
  time: number;
  /** A short title, such as "Bought 0.5 BTC". */
  title: string;
  /** A sentence with details; may be "". */
  detail: string;
  link: NoticeLink;
  isRead: boolean;
  /**
   * Whether the open page and the browser announce this notice, according to the user's switches.
   */
  announce: { page: boolean; browser: boolean };
}

export interface RecentNotices {
  /** The number of unread notices of the kinds that count on the bell. */
  unread: number;
  /** The newest notices, newest first. */
  notices: Notice[];
  /** Whether `notices:page` has older notices. */
  hasOlder: boolean;
}
