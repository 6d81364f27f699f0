import { sql } from '../platform/postgres/sql.ts'
import type { WorkKind, WorkSource } from '../records/work/work-kind.ts'

const failureDays = 30
const behindMinutes = 10

const offering = {
  database: 'cell',
  from: sql`cell.offering`,
  id: sql`offering.id`,
  offering: sql`offering.id`,
  name: sql`offering.name`,
  target: 'offering',
} satisfies Partial<WorkSource>

/** A tenant has one signer on each of a few chains, so they need no partial index. */
const signer = {
  database: 'cell',
  from: sql`cell.chain_signer`,
  // A chain has a name and no id; pages need one.
  id: sql`md5(chain_signer.chain)::uuid`,
  name: sql`chain_signer.chain`,
  target: 'chain',
  targetId: sql`chain_signer.chain`,
} satisfies Partial<WorkSource>

/** Work of the room tokens: ops that a chain rejected, and problems that keep tokens from being minted. */
export const tokensWork: readonly WorkKind[] = [
  {
    kind: 'chain_op_failed',
    description:
      `chain ops that reverted or need an operator (ALARM) in the last ${failureDays} days, until they are retried ` +
      'or end otherwise',
    duty: 'settlement',
    sources: [
      {
        database: 'cell',
        from: sql`cell.chain_op`,
        where: ({ tenantId, now }) => sql`
          chain_op.tenant_id = ${tenantId} and chain_op.handled_at is null
          and (chain_op.state = 'ALARM' or (chain_op.state = 'REVERTED' and chain_op.kind <> 'MINT'))
          and chain_op.changed_at > ${new Date(now.getTime() - failureDays * 86_400_000)}::timestamptz`,
        id: sql`chain_op.id`,
        since: { column: sql`chain_op.changed_at`, type: 'timestamptz' },
        offering: sql`chain_op.offering_id`,
        name: sql`concat_ws(': ', chain_op.kind, chain_op.failure)`,
        target: 'chain_op',
      },
    ],
  },
  {
    kind: 'minting_stopped',
    description: 'offerings whose minting is stopped, until it is resumed',
    duty: 'settlement',
    sources: [
      {
        ...offering,
        where: ({ tenantId }) => sql`offering.tenant_id = ${tenantId} and offering.minting_stopped_at is not null`,
        since: { column: sql`offering.minting_stopped_at`, type: 'timestamptz' },
      },
    ],
  },
  {
    kind: 'token_rejected',
    description: 'drafts whose attached token failed its check, until another one is attached',
    duty: 'settlement',
    sources: [
      {
        ...offering,
        where: ({ tenantId }) => sql`offering.tenant_id = ${tenantId} and offering.token_rejected_at is not null`,
        since: { column: sql`offering.token_rejected_at`, type: 'timestamptz' },
      },
    ],
  },
  {
    kind: 'transfer_to_approve',
    description: 'transfers that no operator has approved or rejected',
    duty: 'compliance',
    sources: [
      {
        database: 'cell',
        from: sql`cell.token_transfer`,
        where: ({ tenantId }) => sql`
          token_transfer.tenant_id = ${tenantId} and token_transfer.status = 'REQUESTED'`,
        id: sql`token_transfer.id`,
        since: { column: sql`token_transfer.created_at`, type: 'timestamptz' },
        offering: sql`token_transfer.offering_id`,
        name: sql`account.full_name`,
        nameJoin: sql`
          join cell.account on account.tenant_id = token_transfer.tenant_id
            and account.id = token_transfer.sender_account_id`,
        target: 'transfer',
      },
    ],
  },
  {
    kind: 'unrequested_transfer',
    description: 'transfers on a chain without a request, until an operator judges them',
    duty: 'compliance',
    sources: [
      {
        database: 'cell',
        from: sql`cell.unrequested_transfer`,
        where: ({ tenantId }) => sql`
          unrequested_transfer.tenant_id = ${tenantId} and unrequested_transfer.verdict is null`,
        id: sql`unrequested_transfer.id`,
        since: { column: sql`unrequested_transfer.found_at`, type: 'timestamptz' },
        offering: sql`unrequested_transfer.offering_id`,
        name: sql`concat_ws(': ', unrequested_transfer.transaction_hash,
                            nullif(array_to_string(unrequested_transfer.breaches, ', '), ''))`,
        target: 'unrequested_transfer',
      },
    ],
  },
  {
    kind: 'gas_low',
    description: 'chains on which your signer has little left for gas, until it is refilled',
    duty: 'settlement',
    sources: [
      {
        ...signer,
        from: sql`
          cell.chain_signer join cell.signer_status
            on signer_status.tenant_id = chain_signer.tenant_id and signer_status.chain = chain_signer.chain`,
        where: ({ tenantId }) => sql`
          chain_signer.tenant_id = ${tenantId} and signer_status.gas_low_since is not null`,
        since: { column: sql`signer_status.gas_low_since`, type: 'timestamptz' },
      },
    ],
  },
  {
    kind: 'indexer_behind',
    description: `chains whose blocks were last read more than ${behindMinutes} minutes ago`,
    duty: 'settlement',
    sources: [
      {
        ...signer,
        from: sql`cell.chain_signer join cell.chain_cursor on chain_cursor.chain = chain_signer.chain`,
        where: ({ tenantId, now }) => sql`
          chain_signer.tenant_id = ${tenantId}
          and chain_cursor.changed_at < ${new Date(now.getTime() - behindMinutes * 60_000)}::timestamptz`,
        since: { column: sql`chain_cursor.changed_at`, type: 'timestamptz' },
      },
    ],
  },
]
