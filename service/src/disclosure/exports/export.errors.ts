import { declareErrors } from '../../platform/api/errors/declare-errors.ts'

export const exportErrors = declareErrors({
  export_not_done: {
    status: 409,
    cause: 'The file of the export is not complete, or was deleted: the export runs, failed, was cancelled or expired.',
    remedy: 'Read the export. Wait until it is `done`, or request a new one.',
  },
  too_many_exports: {
    status: 409,
    cause: 'Ten exports of the tenant, or four of the user, are being written.',
    remedy: 'Wait until one of them is done, or cancel one that is no longer needed.',
  },
})
