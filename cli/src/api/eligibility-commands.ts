import type { ApiCommand } from './api-command.ts'

export const eligibilityCommands = {
  getAccountEligibility: {
    noun: 'eligibility',
    verb: 'get',
    examples: ['eligibility get --account "$ACCOUNT" --offering "$OFFERING"'],
  },
  acceptDocument: {
    noun: 'eligibility',
    verb: 'accept-document',
    subject: 'documentId',
    examples: ['eligibility accept-document "$DOCUMENT" --account "$ACCOUNT" --offering "$RULED" --sha256 "$SHA256"'],
  },
  answerQuestionnaire: {
    noun: 'eligibility',
    verb: 'answer',
    examples: [
      `eligibility answer --account "$ACCOUNT" --offering "$RULED" --data '{"version":1,"answers":{"experience":"often","can_lose":true}}'`,
    ],
  },
} as const satisfies Record<string, ApiCommand>
