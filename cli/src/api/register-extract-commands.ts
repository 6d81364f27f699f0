import type { ApiCommand } from './api-command.ts'

export const registerExtractCommands = {
  createRegisterExtract: {
    noun: 'register-extracts',
    verb: 'create',
    examples: ['register-extracts create --account "$ACCOUNT" --offering "$OFFERING" --format json'],
  },
  listRegisterExtracts: {
    noun: 'register-extracts',
    verb: 'list',
    rows: 'extracts',
    columns: [
      ['ID', 'id'],
      ['CAUSE', 'cause'],
      ['BLOCK', 'block'],
      ['UNITS', 'units'],
      ['FORMAT', 'format'],
      ['SHA-256', 'sha256'],
    ],
    examples: ['register-extracts list --account "$ACCOUNT"'],
  },
  getRegisterExtract: {
    noun: 'register-extracts',
    verb: 'get',
    subject: 'extractId',
    examples: ['register-extracts get "$EXTRACT" --account "$ACCOUNT" --json'],
  },
} as const satisfies Record<string, ApiCommand>
