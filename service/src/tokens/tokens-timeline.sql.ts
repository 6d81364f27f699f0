import { sql } from '../platform/postgres/sql.ts'
import type { TimelineSource } from '../records/timeline/timeline-source.ts'

const chainOps: TimelineSource = {
  source: 'chain_op',
  from: sql`cell.chain_op`,
  of: {
    order: ({ tenantId, subjectId }) => sql`
      chain_op.tenant_id = ${tenantId} and chain_op.id = any (array(
        select token_order.mint_op_id from cell.token_order
        where token_order.tenant_id = ${tenantId} and token_order.id = ${subjectId}))`,
    account: ({ tenantId, subjectId }) => sql`
      chain_op.tenant_id = ${tenantId} and chain_op.id = any (array(
        select token_order.mint_op_id from cell.token_order
        where token_order.tenant_id = ${tenantId} and token_order.account_id = ${subjectId}
        union
        select token_holder.op_id from cell.token_holder
        where token_holder.tenant_id = ${tenantId} and token_holder.account_id = ${subjectId}))`,
    offering: ({ tenantId, subjectId }) => sql`
      chain_op.tenant_id = ${tenantId} and chain_op.offering_id = ${subjectId}`,
  },
  id: sql`chain_op.id`,
  at: sql`chain_op.created_at`,
  type: sql`chain_op.kind`,
  links: sql`jsonb_build_object('chain_op_id', chain_op.id)`,
  detail: sql`jsonb_build_object('state', chain_op.state, 'failure', chain_op.failure, 'chain', chain_op.chain,
                                 'mined_hash', chain_op.mined_hash)`,
}

export const tokensTimeline: readonly TimelineSource[] = [chainOps]
