/** Risks that a person who approves by hand must acknowledge, for the audit log. */
export const approvalRisks = ['document_missing', 'provider_rejected', 'beneficial_owner_missing'] as const
export type ApprovalRisk = (typeof approvalRisks)[number]

/** Risks by kind of approval. */
export type RisksOfApprovals = Readonly<Record<'kyc' | 'kyb', readonly ApprovalRisk[]>>

/** Returns the risks that the person has not acknowledged. */
export function unacknowledged(
  risks: readonly ApprovalRisk[],
  acknowledged: readonly ApprovalRisk[] = [],
): ApprovalRisk[] {
  return risks.filter((risk) => !acknowledged.includes(risk))
}
