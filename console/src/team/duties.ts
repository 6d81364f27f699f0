import type { Duty } from '../api/me.ts'

export const duties: readonly Duty[] = [
  'read',
  'personal',
  'offerings',
  'compliance',
  'money',
  'release',
  'settlement',
  'token',
  'integrations',
  'team',
]
