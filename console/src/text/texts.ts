import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import type en from './en.json'

export const languages = { en: 'English', de: 'Deutsch' } as const
export type Language = keyof typeof languages

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'console'
    resources: { console: typeof en }
    returnNull: false
  }
}

const storageKey = 'console.language'

/** A person loads the texts of one language only. Every language is complete, so none is a fallback for another. */
const textsOf = {
  en: () => import('./en.json'),
  de: () => import('./de.json'),
} as const satisfies Record<Language, () => Promise<{ default: object }>>

export async function startTexts(): Promise<void> {
  const wanted = localStorage.getItem(storageKey) ?? navigator.language.slice(0, 2)
  await i18next
    .use(initReactI18next)
    .init({ fallbackLng: false, defaultNS: 'console', resources: {}, interpolation: { escapeValue: false } })
  await changeLanguage(isLanguage(wanted) ? wanted : 'en')
}

async function changeLanguage(language: Language): Promise<void> {
  if (!i18next.hasResourceBundle(language, 'console')) {
    const { default: texts } = await textsOf[language]()
    i18next.addResourceBundle(language, 'console', texts)
  }
  await i18next.changeLanguage(language)
  document.documentElement.lang = language
}

export async function chooseLanguage(language: Language): Promise<void> {
  localStorage.setItem(storageKey, language)
  await changeLanguage(language)
}

function isLanguage(text: string): text is Language {
  return text in languages
}
