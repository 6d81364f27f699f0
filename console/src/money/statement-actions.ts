import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { type Action, offeredActions } from '../parts/actions.tsx'
import { reasonField } from '../parts/reason-field.ts'
import { saveBlob } from '../parts/save-blob.ts'

type Statement = Schemas['Statement']

/** Returns the actions a person may take on a statement in its state, most likely first. */
export function useStatementActions(statement: Statement): Action[] {
  const { t } = useTranslation()
  const may = useMay()
  if (!may('money')) return []
  const hasGap = statement.continuity === 'gap' && statement.gap_resolution === null
  return offeredActions([
    statement.waits_for_booking && bookAction(statement, t),
    hasGap && resolveGapAction(statement, t),
    downloadAction(statement, t),
    statement.waits_for_booking && discardAction(statement, t),
  ])
}

function bookAction(statement: Statement, t: TFunction): Action {
  return {
    id: 'book',
    label: t('statements.book'),
    consequence: t('statements.bookText', { count: statement.entries }),
    run: (key) => api.post('/statements/{statementId}/book', paramsOf(statement, key)),
    done: t('statements.bookDone'),
  }
}

function resolveGapAction(statement: Statement, t: TFunction): Action {
  return {
    id: 'gap',
    label: t('statements.resolveGap'),
    consequence: t('statements.gapText', {
      expected: statement.expected_opening_balance,
      actual: statement.opening_balance,
    }),
    fields: [{ name: 'resolution', label: t('statements.resolution'), kind: 'long' }],
    run: (key, { resolution = '' }) =>
      api.post('/statements/{statementId}/resolve-gap', { ...paramsOf(statement, key), body: { resolution } }),
    done: t('statements.gapDone'),
  }
}

function downloadAction(statement: Statement, t: TFunction): Action {
  return {
    id: 'download',
    label: t('statements.download'),
    consequence: t('statements.downloadText'),
    run: async () =>
      saveBlob(
        `statement-${statement.bank_id}.xml`,
        await api.download('/statements/{statementId}/download', { path: { statementId: statement.id } }),
      ),
    done: t('statements.downloaded'),
  }
}

function discardAction(statement: Statement, t: TFunction): Action {
  return {
    id: 'discard',
    label: t('statements.discard'),
    isDangerous: true,
    consequence: t('statements.discardText', { count: statement.entries }),
    fields: [reasonField(t)],
    run: (key, { reason = '' }) =>
      api.post('/statements/{statementId}/discard', { ...paramsOf(statement, key), body: { reason } }),
    done: t('statements.discarded'),
  }
}

function paramsOf({ id }: Statement, key: string) {
  return { path: { statementId: id }, key }
}
