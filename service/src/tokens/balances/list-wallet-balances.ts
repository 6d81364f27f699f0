import { Type } from 'typebox'
import { listOperation } from '../../platform/api/declare/page.ts'
import { ApiError } from '../../platform/api/errors/errors.ts'
import { requestErrors } from '../../platform/api/errors/request.errors.ts'
import { AccountPath } from '../../sales/accounts/account.schema.ts'
import { findAccountWithCount } from '../../sales/accounts/account.sql.ts'
import { offeringLanguages } from '../../sales/offerings/offering.schema.ts'
import { WalletBalance } from './balance.schema.ts'
import { selectBalancesOfAccount } from './balance.sql.ts'

const Language = (description: string) => Type.Optional(Type.Enum(offeringLanguages, { description }))

export const listWalletBalances = listOperation(
  {
    id: 'listWalletBalances',
    summary: "List the balances of an account's wallets",
    description: 'The balance of each wallet of an account, per token.',
    tag: 'Balances and transactions',
    path: '/accounts/:accountId/wallets/balances',
    scopes: ['wallet.read'],
    params: AccountPath,
    // The specification shows the values but not the parameter name, so all three common names are accepted (Q069).
    query: {
      lang: Language('The language of the offering names.'),
      language: Language('The same as lang.'),
      locale: Language('The same as lang.'),
    },
    item: WalletBalance,
    errors: [requestErrors.not_found],
  },
  async ({ params, query, page }, { tenantId, tx }) => {
    const key = { tenantId, ...params }
    const language = query.lang ?? query.language ?? query.locale ?? null
    const [account, results] = await tx.batch(
      (tx) => findAccountWithCount(tx, key, 'balance_count'),
      (tx) => selectBalancesOfAccount(tx, key, { page, language }),
    )
    if (!account) throw new ApiError(requestErrors.not_found, 'The account does not exist.')
    return { count: Number(account.count), results }
  },
)
