import { type Alert, days, hours, minutes } from './signal.ts'

/** Alerts about money, people and the audit log. */
export const businessAlerts: readonly Alert[] = [
  {
    name: 'AuditLogRewritten',
    severity: 'page',
    expr: (time) =>
      `sum by (cell) (increase(audit_logs_rewritten_total[${time.duration(2 * hours)}])) > 0 ` +
      `or max by (cell) (audit_entries) < max by (cell) (audit_entries offset ${time.duration(2 * hours)})`,
    for: 0,
    summary: 'An audit log was changed.',
    meaning: 'Someone with the rights of the database owner changed or removed entries, or a backup was restored.',
    steps: [
      'A restore: expected once. See `backup-and-restore.md`.',
      'Otherwise it is an incident: keep a copy of the database, and compare with the heads in the log and at `AUDIT_HEADS_URL`.',
      'The log of the worker names the tenant and the last entry that matched.',
    ],
    panel: {
      title: 'Entries of the audit logs',
      dashboard: 'business',
      expr: () => 'max by (cell) (audit_entries)',
      unit: 'short',
    },
  },
  {
    name: 'BankStatementMissing',
    severity: 'ticket',
    expr: (time) => `max by (cell) (bank_statement_silence_seconds) > ${time.seconds(36 * hours)}`,
    for: 10 * minutes,
    summary: 'A bank account has had no statement for more than a bank day.',
    meaning: 'Payments of investors are not seen. Saturdays and Sundays do not count; holidays do.',
    steps: [
      'Console, Money, Statements: the account without a new statement.',
      'Ask the tenant or the bank for the file; import it by hand.',
    ],
    panel: {
      title: 'Time on bank days since the last statement',
      dashboard: 'business',
      expr: () => 'max by (cell) (bank_statement_silence_seconds)',
      unit: 's',
    },
  },
  {
    name: 'StatementUnmatched',
    severity: 'page',
    expr: (time) => `max by (cell) (bank_statement_unmatched_oldest_seconds) > ${time.seconds(hours, 120)}`,
    for: 5 * minutes,
    summary: 'A booked bank statement has had entries that are not matched for an hour.',
    meaning: 'Payments arrived at the bank, and their orders are not paid.',
    steps: [
      'Log of the worker, job `match-statements`: the error.',
      'No line: panel "Jobs that could run", queue `statements`. Is no job waiting although entries are pending, run it as in `jobs.md`.',
    ],
    panel: {
      title: 'Age of the oldest statement with entries to match',
      dashboard: 'business',
      expr: () => 'max by (cell) (bank_statement_unmatched_oldest_seconds)',
      unit: 's',
    },
  },
  {
    name: 'ExportStuck',
    severity: 'ticket',
    expr: (time) => `max by (cell) (export_oldest_seconds) > ${time.seconds(2 * hours, 120)}`,
    for: 5 * minutes,
    summary: 'An export has not been finished for two hours.',
    meaning: 'An operator waits for a file, and a tenant has only a few exports at once.',
    steps: [
      'Log of the worker, job `write-exports`: the error.',
      'Panel "Jobs that could run", queue `exports`: many large exports take turns.',
    ],
    panel: {
      title: 'Age of the oldest export',
      dashboard: 'business',
      expr: () => 'max by (cell) (export_oldest_seconds)',
      unit: 's',
    },
  },
  {
    name: 'BankStatementGap',
    severity: 'ticket',
    expr: () => 'max by (cell) (bank_statement_gaps) > 0',
    for: hours,
    summary: 'A bank statement does not follow the one before it.',
    meaning: 'A statement is missing between them, with payments that no order has.',
    steps: ['Console, Work, "Missing statements".', 'Import the missing file, or resolve the gap with a reason.'],
    panel: {
      title: 'Gaps between statements',
      dashboard: 'business',
      expr: () => 'max by (cell) (bank_statement_gaps)',
      unit: 'short',
    },
  },
  {
    name: 'BankEntriesWait',
    severity: 'ticket',
    expr: () => 'max by (cell) (bank_entries_attention) > 0',
    for: days,
    summary: 'Entries of bank statements have waited for an operator for a day.',
    meaning: 'Money that the service could not book by itself: a refund that came back, or the same money twice.',
    steps: ['Console, Work, "Bank entries".'],
    panel: {
      title: 'Bank entries that wait for an operator',
      dashboard: 'business',
      expr: () => 'max by (cell) (bank_entries_attention)',
      unit: 'short',
    },
  },
  {
    name: 'ApprovalWaits',
    severity: 'ticket',
    expr: (time) => `max by (cell) (approval_oldest_seconds) > ${time.seconds(days)}`,
    for: 10 * minutes,
    summary: 'A request has waited for a second person for more than a day.',
    meaning: 'A payout, a token action or a change of rights does not happen. After seven days it expires.',
    steps: [
      'Console, Approvals: who may confirm it.',
      'A tenant needs at least two people with the duty who are not on leave.',
    ],
    panel: {
      title: 'Age of the oldest request for approval',
      dashboard: 'business',
      expr: () => 'max by (cell) (approval_oldest_seconds)',
      unit: 's',
    },
  },
]
