import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { Problem } from '../api/problem.ts'
import { type Action, reasonField } from '../parts/actions.tsx'
import { Diff } from '../parts/diff.tsx'
import type { ActionField, Values } from '../parts/field-input.tsx'
import { dateText } from '../text/format.ts'
import { Questions } from './questions.tsx'

type Offering = Schemas['OperatorOffering']
type Rules = Schemas['EligibilityRules']
type NewRules = Schemas['NewEligibilityRules']

const accountTypes = ['INDIVIDUAL', 'COMPANY'] as const
const shownNames = ['allowed', 'refused', 'types', 'max', 'invitedOnly'] as const

/** Sends all rules, because the API replaces them together: a dialog changes some and keeps the others. */
function useSetRules({ id, status }: Offering, rules: Rules) {
  const { t } = useTranslation()
  const { documents, version: _, ...kept } = rules
  const current = { ...kept, document_ids: documents.map(({ id: documentId }) => documentId) }
  return {
    reason: reasonField(t),
    consequence: status === 'DRAFT' ? t('rules.draftText') : t('rules.openText'),
    send: (key: string, change: Partial<NewRules>, { reason = '' }: Values) =>
      api.post('/offerings/{offeringId}/eligibility', {
        path: { offeringId: id },
        key,
        body: { ...current, ...change, reason },
      }),
    done: t('rules.changed'),
  }
}

/** Changes countries, kinds of investors, the limit for each, and whether they must be invited. */
export function useRulesAction(offering: Offering, rules: Rules): Action {
  const { t } = useTranslation()
  const { reason, consequence, send, done } = useSetRules(offering, rules)
  const current: Values = {
    allowed: rules.allowed_countries?.join(', ') ?? '',
    refused: rules.refused_countries.join(', '),
    types: (rules.account_types ?? accountTypes).join(','),
    max: rules.investor_max_amount ?? '',
    invitedOnly: rules.is_invited_only ? 'yes' : 'no',
  }
  const named = (values: Values) =>
    Object.fromEntries(shownNames.map((name) => [t(`rules.${name}`), values[name]?.trim() || '–']))
  const text = (name: 'allowed' | 'refused' | 'max', hint: string): ActionField => ({
    name,
    label: t(`rules.${name}`),
    kind: 'text',
    initial: current[name] ?? '',
    hint,
    isOptional: true,
  })
  return {
    id: 'rules',
    label: t('rules.change'),
    consequence,
    fields: [
      text('allowed', t('rules.allowedHint')),
      text('refused', t('rules.refusedHint')),
      {
        name: 'types',
        label: t('rules.types'),
        kind: 'choices',
        options: accountTypes.map((value) => ({ value, label: t(`rules.${value}`) })),
        initial: current['types'] ?? '',
      },
      text('max', t('rules.maxHint', { currency: offering.currency })),
      {
        name: 'invitedOnly',
        label: t('rules.invitedOnly'),
        kind: 'choice',
        options: (['no', 'yes'] as const).map((value) => ({ value, label: t(`parts.${value}`) })),
        initial: current['invitedOnly'] ?? '',
      },
      reason,
    ],
    preview: (values) => <Diff before={named(current)} after={named(values)} />,
    run: (key, values) => send(key, rulesOf(values), values),
    done,
  }
}

function rulesOf(values: Values): Partial<NewRules> {
  const allowed = countriesOf(values['allowed'])
  const types = accountTypes.filter((type) => values['types']?.split(',').includes(type))
  return {
    allowed_countries: allowed.length > 0 ? allowed : null,
    refused_countries: countriesOf(values['refused']),
    account_types: types.length === accountTypes.length || types.length === 0 ? null : types,
    investor_max_amount: values['max']?.trim() || null,
    is_invited_only: values['invitedOnly'] === 'yes',
  }
}

function countriesOf(text = ''): string[] {
  return text.split(/[\s,;]+/).flatMap((code) => (code ? [code.toUpperCase()] : []))
}

/** Changes the documents that an investor must accept. */
export function useDocumentsAction(offering: Offering, rules: Rules): Action {
  const { t } = useTranslation()
  const { reason, consequence, send, done } = useSetRules(offering, rules)
  const { data } = useQuery({
    queryKey: ['documents', offering.id, 'newest'],
    queryFn: () =>
      api.get('/offerings/{offeringId}/documents', { path: { offeringId: offering.id }, query: { limit: 100 } }),
  })
  return {
    id: 'rule-documents',
    label: t('rules.changeDocuments'),
    consequence: (
      <>
        <p>{t('rules.documentsText')}</p>
        <p className="muted">{data?.results.length === 0 ? t('rules.upload') : consequence}</p>
      </>
    ),
    fields: [
      {
        name: 'documents',
        label: t('rules.documents'),
        kind: 'choices',
        options: (data?.results ?? []).map(({ id, kind, created_at: at, sha256 }) => ({
          value: id,
          label: `${t(`documents.kinds.${kind}`)}, ${dateText(at)}, ${sha256.slice(0, 6)}…`,
        })),
        initial: rules.documents.map(({ id }) => id).join(','),
      },
      reason,
    ],
    run: (key, values) => send(key, { document_ids: (values['documents'] ?? '').split(',').filter(Boolean) }, values),
    done,
  }
}

const template = {
  schema: {
    type: 'object',
    properties: { experience: { type: 'string', title: 'How often did you buy bonds?', enum: ['never', 'often'] } },
  },
  outcomes: [{ question: 'experience', one_of: ['never'], outcome: 'warned' }],
}

/** Changes the questionnaire as JSON, and shows the questions as an investor sees them. */
export function useQuestionnaireAction(offering: Offering, rules: Rules): Action {
  const { t } = useTranslation()
  const { reason, consequence, send, done } = useSetRules(offering, rules)
  return {
    id: 'questionnaire',
    label: t('rules.changeQuestionnaire'),
    isWide: true,
    consequence: (
      <>
        <p>{t('rules.questionnaireText')}</p>
        <p className="muted">{consequence}</p>
      </>
    ),
    fields: [
      {
        name: 'questionnaire',
        label: t('rules.questionnaire'),
        kind: 'json',
        initial: JSON.stringify(rules.questionnaire ?? template, undefined, 2),
        hint: t('rules.questionnaireHint'),
        isOptional: true,
      },
      reason,
    ],
    preview: (values) => {
      const parsed = parsedJson(values['questionnaire'])
      if (parsed === undefined) return <p className="tone-failed">{t('rules.noJson')}</p>
      return parsed && <Questions questionnaire={parsed} />
    },
    run: (key, values) => {
      const questionnaire = parsedJson(values['questionnaire'])
      if (questionnaire === undefined) throw new Problem(422, 'no_json', t('rules.noJson'))
      return send(key, { questionnaire: questionnaire as NewRules['questionnaire'] }, values)
    },
    done,
  }
}

/** Returns null without text, or undefined if the text is not a JSON object. */
function parsedJson(text = ''): object | null | undefined {
  if (!text.trim()) return null
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
