import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import type { Action } from '../parts/actions.tsx'
import { usePersonalField } from '../reports/use-personal-field.ts'
import { dayEnd } from './day-end.ts'

const formats = ['pdf', 'csv', 'json'] as const

interface ExtractOf {
  readonly offering: Pick<Schemas['OperatorOffering'], 'id'>
  /** The extract shows the end of this day; undefined means now. */
  readonly day: string | undefined
  readonly holders: readonly Schemas['Holder'][]
}

/** Starts an extract of the register, to be downloaded under Reports. */
export function useNewExtract({ offering, day, holders }: ExtractOf): Action {
  const { t } = useTranslation()
  const at = day && dayEnd(day)
  const known = new Map(holders.flatMap(({ account_id: id, name }) => (id === null ? [] : [[id, name ?? id] as const])))
  return {
    id: 'extract',
    label: t('register.extract'),
    consequence: t('register.extractText'),
    fields: [
      {
        name: 'format',
        label: t('register.format'),
        kind: 'choice',
        initial: 'pdf',
        options: formats.map((value) => ({ value, label: value.toUpperCase() })),
      },
      ...(known.size > 0
        ? [
            {
              name: 'account_id',
              label: t('register.onlyHolder'),
              kind: 'choice' as const,
              options: [...known].map(([value, label]) => ({ value, label })),
              isOptional: true,
            },
          ]
        : []),
      ...usePersonalField(t('register.withNames')),
    ],
    run: (key, { format = 'pdf', account_id: accountId, personal }) =>
      api.post('/exports', {
        key,
        body: {
          kind: 'register',
          format: format as (typeof formats)[number],
          offering_id: offering.id,
          with_personal_data: personal === 'yes',
          ...(accountId && { account_id: accountId }),
          ...(at && { at }),
        },
      }),
    done: t('register.extractStarted'),
  }
}
