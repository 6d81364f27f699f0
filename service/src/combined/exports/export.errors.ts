import { declareErrors } from '../../platform/api/errors/declare-errors.ts'

export const exportErrors = declareErrors({
  export_not_done: {
    status: 409,
    type: 'conflict_error',
    cause: 'The file of the export is not complete, or was deleted: the export runs, failed, was cancelled or expired.',
    remedy: 'Read the export. Wait until it is `done`, or request a new one.',
  },
  too_many_exports: {
    status: 409,
    type: 'conflict_error',
    cause: 'The tenant has ten exports that have not expired.',
    remedy: 'Cancel exports that are no longer needed; their files are deleted at once. Exports expire after 24 hours.',
  },
})
