const configuration = 'no event announces it; people change it rarely, and the person who does sees it at once'

/** Reasons why no event refreshes a query, by the first part of its key. A test fails if an entry is stale. */
export const queriesWithoutEvent: Readonly<Record<string, string>> = {
  'approval-policies': configuration,
  'coupon-schedules': configuration,
  'duty-pairs': configuration,
  'kyc-providers': configuration,
  'payment-providers': configuration,
  'saved-views': 'they belong to one person, who changes them on the screen that shows them',
  documents: 'no event announces an upload; the person who uploads sees it at once',
  export: 'the screen asks again until the file is ready',
  exports: 'the screen asks again until the file is ready',
  me: configuration,
  palette: 'each search is new',
  settings: configuration,
  user: configuration,
  users: configuration,
}
