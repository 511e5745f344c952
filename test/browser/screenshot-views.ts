/** What `npm run screenshots` looks at: each page, and what can be opened on it. */
import type { Page } from "playwright-core";

export type Role = "visitor" | "newcomer" | "trader" | "admin";

export interface View {
  readonly path: string;
  /** Who looks at it when it is full of what there is to see. */
  readonly role: Exclude<Role, "newcomer">;
  /** The exchange that has it; default: the simulated one. */
  readonly exchange?: "simulated" | "funded";
  /** Opens a panel or a dialog of the page. */
  readonly open?: (page: Page) => Promise<void>;
  /** Narrower windows do not have it. */
  readonly widthMin?: number;
}

const BITCOIN = "/trade?market=BTC-USD";

const button = (page: Page, name: string | RegExp) =>
  page.getByRole("button", { name, exact: typeof name === "string" }).first();
const press = (name: string | RegExp) => async (page: Page) => button(page, name).click();
const tab = (name: string | RegExp) => async (page: Page) =>
  page.getByRole("tab", { name }).first().click();

/** Phones show one panel at a time. */
const showPanel = async (page: Page, name: "Book" | "Trades" | "Orders") => {
  const choice = page.getByRole("group", { name: "View" }).getByRole("button", { name });
  if (await choice.isVisible()) await choice.click();
};
const orders =
  (...steps: readonly ((page: Page) => Promise<void>)[]) =>
  async (page: Page) => {
    await showPanel(page, "Orders");
    for (const step of steps) await step(page);
  };

/** The ticket: on a phone a sheet. */
const ticket = async (page: Page) => {
  const sheet = page.locator("[data-order-bar] button").first();
  if (await sheet.isVisible()) await sheet.click();
  return page.getByRole("region", { name: "Order ticket" }).last();
};

const trade = (open: (page: Page) => Promise<void>, widthMin?: number): View => ({
  path: BITCOIN,
  role: "trader",
  open,
  ...(widthMin !== undefined && { widthMin }),
});
const settings = (open: (page: Page) => Promise<void>): View => ({
  path: "/settings",
  role: "trader",
  open,
});
const scrolledTo = (name: string) => async (page: Page) =>
  page
    .getByRole("region", { name, exact: true })
    .first()
    .evaluate((region) => region.scrollIntoView());

const newKey = async (page: Page) => {
  await button(page, "Create a key").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name", { exact: true }).fill("Market maker of the second desk, nights");
  await dialog.getByLabel("Addresses").fill("203.0.113.7\n198.51.100.0/24");
};

/** By their names; those of pages alone begin with a slash. */
export const VIEWS: Readonly<Record<string, View>> = {
  "/": { path: "/", role: "visitor" },
  "/documents": { path: "/documents", role: "visitor" },
  "/solvency": { path: "/solvency", role: "trader" },
  "/login": { path: "/login", role: "visitor" },
  "/signup": { path: "/signup", role: "visitor" },
  "/forgot-password": { path: "/forgot-password", role: "visitor" },
  "/reset-password": { path: "/reset-password?token=none", role: "visitor" },
  "/verify-email": { path: "/verify-email?error=token_expired", role: "visitor" },
  "/two-factor": { path: "/two-factor", role: "visitor" },
  "/account-deleted": { path: "/account-deleted", role: "visitor" },
  "/nothing-here": { path: "/nothing-here", role: "visitor" },
  "/outbox": { path: "/outbox", role: "visitor" },
  "/dashboard": { path: "/dashboard", role: "trader" },
  "/trade": { path: "/trade", role: "trader" },
  "/orders/$orderId": { path: "/orders/$orderId", role: "trader" },
  "/fills/$orderId/$tradeId": { path: "/fills/$fillOrderId/$tradeId", role: "trader" },
  "/portfolio": { path: "/portfolio", role: "trader" },
  "/activity": { path: "/activity", role: "trader" },
  "/statements": { path: "/statements", role: "trader" },
  "/transfers": { path: "/transfers", role: "trader", exchange: "funded" },
  "/settings": { path: "/settings", role: "trader" },
  "/admin": { path: "/admin", role: "admin" },
  "/admin/markets": { path: "/admin/markets", role: "admin" },
  "/admin/coins": { path: "/admin/coins", role: "admin" },
  "/admin/plans": { path: "/admin/plans", role: "admin" },
  "/admin/users": { path: "/admin/users", role: "admin" },
  "/admin/users/$userId": { path: "/admin/users/$userId", role: "admin" },
  "/admin/transfers": { path: "/admin/transfers", role: "admin", exchange: "funded" },
  "/admin/adjustments": { path: "/admin/adjustments", role: "admin" },
  "/admin/audit": { path: "/admin/audit", role: "admin" },
  "/admin/mail": { path: "/admin/mail", role: "admin" },

  notices: { path: "/dashboard", role: "trader", open: press(/^Notices/) },
  alerts: {
    path: "/dashboard",
    role: "trader",
    async open(page) {
      await press(/^Notices/)(page);
      await tab("Price alerts")(page);
    },
  },
  palette: trade(press("Search pages and actions")),
  shortcuts: trade(async (page) => page.locator("body").press("?")),
  layouts: trade(press(/^Layout, /), 1024),
  markets: trade(async (page) => page.locator("body").press("m")),
  indicators: trade(press(/^Indicators/)),
  drawings: trade(press("Drawings")),
  "chart-orders": trade(press("Orders on the chart")),
  "chart-style": trade(press("Chart type and price axis")),
  depth: trade(press("Depth")),
  book: trade((page) => showPanel(page, "Book")),
  tape: trade((page) => showPanel(page, "Trades")),
  "open-orders": trade(orders()),
  "order-filter": trade(orders(press(/^Filter/))),
  "order-history": trade(orders(tab("Order history"))),
  trades: trade(orders(tab("Trades"))),
  balances: trade(orders(tab("Balances"))),
  "change-order": trade(orders(press(/^Change (buy|sell) order in BTC-USD at/))),
  "change-stop": trade(orders(press(/^Change sell order in ETH-USD: Stop/))),
  "change-pair": trade(orders(press(/^Change sell order in BTC-USD at 98500/))),
  "change-pair-stop": trade(orders(press(/^Change sell order in BTC-USD: Stop 28/))),
  "change-pending": trade(orders(press(/^Change sell order in BTC-USD at 99500/))),
  "cancel-all": trade(orders(press("Cancel all"))),
  "about-market": trade(press(/^About /)),
  ticket: trade(async (page) => {
    await ticket(page);
  }),
  "ticket-stop": trade(async (page) => {
    const form = await ticket(page);
    await form.getByLabel("More order types", { exact: true }).selectOption("stop");
    await form.getByLabel("Trigger price").fill("1");
  }),
  "ticket-bracket": trade(async (page) => {
    const form = await ticket(page);
    await form.getByRole("button", { name: "Limit", exact: true }).click();
    await form.getByLabel("TP/SL").check();
    await form.getByLabel("Iceberg").check();
    await form.getByLabel("Time in force", { exact: true }).selectOption("gtd");
  }),
  "confirm-order": trade(async (page) => {
    const form = await ticket(page);
    await form.getByLabel("More order types", { exact: true }).selectOption("stop");
    await form.getByLabel("Trigger price").fill("90000");
    await form.getByLabel("Quantity", { exact: true }).fill("0.01");
    await form.getByRole("button", { name: "Buy BTC", exact: true }).click();
  }),
  auction: { path: "/trade?market=ADA-USD", role: "trader" },
  halted: { path: "/trade?market=DOT-USD", role: "trader" },
  watchlist: {
    path: "/dashboard",
    role: "trader",
    open: async (page) =>
      page
        .getByRole("heading", { name: "Watchlist" })
        .evaluate((heading) => heading.scrollIntoView({ block: "center" })),
  },
  "api-keys": settings(scrolledTo("API keys")),
  "new-key": settings(newKey),
  "new-key-secret": settings(async (page) => {
    await newKey(page);
    await page.getByRole("dialog").getByRole("button", { name: "Create key" }).click();
    await page.getByRole("dialog").getByText("is ready").waitFor();
  }),
  "connect-key": settings(press(/^Connect a program/)),
  faults: settings(press(/^Faults of/)),
  notifications: settings(scrolledTo("Notifications")),
  preferences: settings(scrolledTo("Preferences")),
  "delete-account": settings(press("Delete account")),
  documents: {
    path: "/documents",
    role: "visitor",
    open: async (page) => page.getByRole("link", { name: /depth/ }).first().click(),
  },
  changes: { path: "/admin/audit?of=exchange", role: "admin" },
  "change-coin": { path: "/admin/coins", role: "admin", open: press(/^Change BTC/) },
  "change-market": { path: "/admin/markets", role: "admin", open: press("Terms of BTC-USD") },
  "schedule-market": { path: "/admin/markets", role: "admin", open: press("Schedule BTC-USD") },
  "change-plan": { path: "/admin/plans", role: "admin", open: press(/^Change /) },
  "market-state": {
    path: "/admin/markets",
    role: "admin",
    open: press(/^(Change|Set) the state|^Change/),
  },
  "propose-adjustment": {
    path: "/admin/users/$userId",
    role: "admin",
    open: press("Adjust balance"),
  },
  "trade-visitor": { path: BITCOIN, role: "visitor" },
  "add-address": {
    path: "/transfers",
    role: "trader",
    exchange: "funded",
    open: press("Add an address"),
  },
  "funded-dashboard": { path: "/dashboard", role: "trader", exchange: "funded" },
  "funded-trade": { path: "/trade", role: "trader", exchange: "funded" },
  "record-transfer": {
    path: "/admin/transfers",
    role: "admin",
    exchange: "funded",
    open: press(/^Record: deposit/),
  },
  "approve-transfer": {
    path: "/admin/transfers",
    role: "admin",
    exchange: "funded",
    open: press(/^Approve: withdrawal/),
  },
  "import-statement": {
    path: "/admin/transfers",
    role: "admin",
    exchange: "funded",
    open: press("Import a statement"),
  },
  "menu-account": { path: "/portfolio", role: "admin", open: press(/account of/) },
};
