import { amountText } from './amount-text.js'
import { callSignedIn, callSteppedUp, element, onClick, run, say, showFacts } from './api.js'

const [, , , database, approvalId] = location.pathname.split('/')
const path = `${database === 'directory' ? '/directory-approvals' : '/approvals'}/${approvalId}`

for (const decision of ['confirm', 'reject', 'withdraw'])
  onClick(element(decision), async () => {
    await callSteppedUp('POST', `${path}/${decision}`)
    await show()
  })
void run(show)

async function show() {
  const [{ user }, approval] = await Promise.all([callSignedIn('GET', '/me'), callSignedIn('GET', path)])
  const contents = await contentsOf(approval)
  const isOwn = approval.proposed_by === user.id
  const isPending = approval.state === 'pending'
  say(
    isPending
      ? isOwn
        ? 'You proposed this. Another person must confirm it.'
        : 'Check the change before you decide.'
      : `This change is ${approval.state}.`,
  )
  showFacts(element('facts'), {
    Operation: approval.operation,
    [`The ${approval.subject_type}`]: approval.subject_name ?? approval.subject_id,
    ...(approval.amount === null ? {} : { Amount: amountText(approval) }),
    ...accountOf(contents),
    'Proposed by': approval.proposed_by_name ?? approval.proposed_by,
    'Proposed at': new Date(approval.proposed_at).toLocaleString(),
    'Needs the duty': approval.confirm_duty,
    Expires: new Date(approval.expires_at).toLocaleString(),
    State: approval.state,
  })
  element('request').textContent = JSON.stringify(contents ?? approval.request, null, 2)
  element('confirm').hidden = isOwn
  element('reject').hidden = isOwn
  element('withdraw').hidden = !isOwn
  element('decide').hidden = !isPending
  element('approval').hidden = false
}

/** Everything that opens with an offering, which is what a confirmation binds. Undefined for other changes. */
async function contentsOf({ operation, subject_id: id }) {
  if (operation !== 'openOffering') return undefined
  const parts = ['', '/eligibility', '/documents']
  const [offering, rules, documents] = await Promise.all(
    parts.map((part) => callSignedIn('GET', `/offerings/${id}${part}`)),
  )
  return { offering, eligibility: rules, documents: documents.results }
}

function accountOf(contents) {
  const account = contents?.offering.collection_account
  if (!account) return {}
  return { 'Buyers pay to': account.account_holder, Bank: account.bank, IBAN: account.iban, BIC: account.bic }
}
