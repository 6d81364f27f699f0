import { useTranslation } from 'react-i18next'

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
    <table className="diff" aria-label={t('rules.questionnaire')}>
      <thead>
        <tr>
          <th scope="col">{t('rules.question')}</th>
          <th scope="col">{t('rules.answers')}</th>
          <th scope="col">{t('rules.warned')}</th>
          <th scope="col">{t('rules.stopped')}</th>
        </tr>
      </thead>
      <tbody>
        {Object.entries(schema?.properties ?? {}).map(([name, { title, type, enum: values }]) => (
          <tr key={name}>
            <th scope="row">{title ?? name}</th>
            <td>{(values ?? (type === 'boolean' ? [true, false] : undefined))?.map(text).join(', ') ?? type}</td>
            <td>{answers(name, 'warned')}</td>
            <td>{answers(name, 'refused')}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
