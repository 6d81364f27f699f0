// Queries for PostGraphile. They return the members of our page and order, and read the counter instead of counting.
const order = `
  id: rowId units totalAmount paymentProvider paidAt paidAmount currency status
  accountByTenantIdAndAccountId { id: rowId fullName email type }`
const offering = 'id: rowId name symbol blockchain tokenizationPlatform decimals type pricePerToken'

export const pageQuery = `query ($tenantId: UUID!, $offeringId: UUID!, $offset: Int!, $limit: Int!) {
  offeringByTenantIdAndRowId(tenantId: $tenantId, rowId: $offeringId) { orderCount ${offering} }
  allTokenOrders(
    condition: { tenantId: $tenantId, offeringId: $offeringId }
    orderBy: OFFERING_POSITION_DESC, first: $limit, offset: $offset
  ) { nodes { ${order} } }
}`

export const orderQuery = `query ($tenantId: UUID!, $id: UUID!) {
  tokenOrderByTenantIdAndRowId(tenantId: $tenantId, rowId: $id) {
    ${order} paymentBankAccount createdAt
    offeringByTenantIdAndOfferingId { ${offering} }
  }
}`
