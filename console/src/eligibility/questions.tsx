import { useTranslation } from 'react-i18next'
import { SmallTable } from '../parts/small-table.tsx'

interface Question {
  readonly type?: string
  readonly title?: string
  readonly enum?: readonly unknown[]
}

interface Rule {
  readonly question?: string
  readonly one_of?: readonly unknown[]
  readonly outcome?: string
}

/** Shows the questions for investors, and the answers that cause a warning or block a purchase. */
export function Questions({ questionnaire }: { questionnaire: object }) {
  const { t } = useTranslation()
  const { schema, outcomes = [] } = questionnaire as {
    schema?: { properties?: Readonly<Record<string, Question>> }
    outcomes?: readonly Rule[]
  }
  const text = (answer: unknown) =>
    typeof answer === 'boolean' ? t(answer ? 'parts.yes' : 'parts.no') : String(answer)
  const answers = (name: string, outcome: string) =>
    outcomes
      .filter((rule) => rule.question === name && rule.outcome === outcome)
      .flatMap(({ one_of: values = [] }) => values.map(text))
      .join(', ') || '–'
  return (
    <SmallTable
      label={t('rules.questionnaire')}
      columns={(['question', 'answers', 'warned', 'stopped'] as const).map((name) => t(`rules.${name}`))}
      rows={Object.entries(schema?.properties ?? {}).map(([name, { title, type, enum: values }]) => [
        name,
        title ?? name,
        (values ?? (type === 'boolean' ? [true, false] : undefined))?.map(text).join(', ') ?? type,
        answers(name, 'warned'),
        answers(name, 'refused'),
      ])}
    />
  )
}
