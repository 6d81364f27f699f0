import type { TFunction } from 'i18next'
import type { ReactNode } from 'react'
import type { Schemas } from '../api/client.ts'
import { Money } from '../parts/money.tsx'

/** Names the conditions that an investor must meet. */
export function rulesFacts(
  rules: Schemas['EligibilityRules'],
  currency: string,
  t: TFunction,
): Record<string, ReactNode> {
  const { allowed_countries: allowed, refused_countries: refused, account_types: types } = rules
  const { investor_max_amount: max } = rules
  return {
    [t('rules.allowed')]: allowed === null ? t('rules.allCountries') : allowed.join(', ') || t('rules.noCountry'),
    [t('rules.refused')]: refused.join(', ') || t('rules.noCountry'),
    [t('rules.types')]: types === null ? t('rules.allTypes') : types.map((type) => t(`rules.${type}`)).join(', '),
    [t('rules.max')]: max === null ? t('rules.noMax') : <Money amount={max} currency={currency} />,
    [t('rules.invitedOnly')]: rules.is_invited_only ? t('parts.yes') : t('parts.no'),
  }
}
