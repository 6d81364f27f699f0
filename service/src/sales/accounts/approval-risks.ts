/** Reasons why an approval by hand needs a person to say that they know: it then stands in the audit log. */
export const approvalRisks = ['document_missing', 'provider_rejected', 'beneficial_owner_missing'] as const
export type ApprovalRisk = (typeof approvalRisks)[number]

/** By the kind of approval. */
export type RisksOfApprovals = Readonly<Record<'kyc' | 'kyb', readonly ApprovalRisk[]>>

/** The risks that the person has not acknowledged. */
export function unacknowledged(
  risks: readonly ApprovalRisk[],
  acknowledged: readonly ApprovalRisk[] = [],
): ApprovalRisk[] {
  return risks.filter((risk) => !acknowledged.includes(risk))
}
