import { Type } from 'typebox'
import { Named, orNull, Text, Uuid } from '../../platform/api/declare/fields.ts'
import { searchKinds } from './search-kinds.ts'

/** Enough for a person to see whether to type more. */
export const resultsOfKindMax = 5

export const Search = Named('Search', {
  query: Text(2, 200, {
    description:
      'What to look for: words of a name, an e-mail address, a payment reference, a wallet address, a transaction ' +
      'hash, the reference or end-to-end id of a payment or refund, or the beginning of one; an id or an IBAN in ' +
      'full. Several words must all match.',
    examples: ['ada love'],
  }),
})

export const SearchResults = Named('SearchResults', {
  results: Type.Array(
    Named('SearchResult', {
      kind: Type.Enum(
        searchKinds.map(({ kind }) => kind),
        { description: 'What was found.' },
      ),
      id: Uuid('Its id.', 'The account.'),
      name: Type.String({ description: 'What a person recognizes it by.', examples: ['Ada Lovelace'] }),
      detail: Type.String({ description: 'Further text to recognize it by.', examples: ['ada@example.com'] }),
      account_id: orNull(Uuid('The account that it belongs to.', 'The account.')),
      order_id: orNull(Uuid('The order that it belongs to.', 'The order.')),
    }),
    {
      maxItems: searchKinds.length * resultsOfKindMax,
      description: `At most ${resultsOfKindMax} of each kind, the newest first.`,
    },
  ),
})
