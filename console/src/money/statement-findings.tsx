import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { useList } from '../api/list.ts'
import { moneyText } from '../parts/money-text.ts'
import { dayLabel } from '../text/format.ts'

type Finding = Schemas['StatementFinding']

/** Statements that do not continue the previous one: something is missing, out of order or different. */
export function StatementFindings() {
  const { t, i18n } = useTranslation()
  const list = useList<Finding>(['statements', 'findings'], (query) => api.get('/statement-findings', { query }))
  const open = list.items.filter(({ gap_resolution: resolution }) => resolution === null)
  if (open.length === 0) return null
  const money = (amount: string | null, currency: string) =>
    amount === null ? '–' : moneyText(amount, currency, i18n.language)
  return (
    <section className="card card-attention" aria-label={t('statements.findings')}>
      <h2>{t('statements.findings')}</h2>
      <ul className="plain-list">
        {open.map(({ statement_id: statementId, kind, closes_on: day, difference, currency, ...finding }) => (
          <li key={statementId}>
            <Link className="link" to="/money/statements/$statementId" params={{ statementId }}>
              {t('statements.title', { number: finding.sequence ?? dayLabel(day) })}
            </Link>
            {': '}
            {t(`statements.kinds.${kind}`, {
              from: finding.missing_from ?? finding.previous_sequence ?? '–',
              to: finding.missing_to ?? finding.sequence ?? '–',
            })}{' '}
            <span className="muted">{t('statements.differs', { amount: money(difference, currency) })}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
