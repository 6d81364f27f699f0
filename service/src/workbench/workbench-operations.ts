import { createSavedView } from '../access/saved-views/operator/create-saved-view.ts'
import { deleteSavedView } from '../access/saved-views/operator/delete-saved-view.ts'
import { listSavedViews } from '../access/saved-views/operator/list-saved-views.ts'
import { updateSavedView } from '../access/saved-views/operator/update-saved-view.ts'
import type { OperatorOperation } from '../platform/api/declare/operation.ts'
import { createNote } from '../records/notes/operator/create-note.ts'
import { deleteNote } from '../records/notes/operator/delete-note.ts'
import { listNotes } from '../records/notes/operator/list-notes.ts'
import { search } from './search/operator/search.ts'
import { getAccountTimeline } from './timeline/operator/get-account-timeline.ts'
import { getOfferingTimeline } from './timeline/operator/get-offering-timeline.ts'
import { getOrderTimeline } from './timeline/operator/get-order-timeline.ts'
import { listWork } from './work/operator/list-work.ts'
import { listWorkItems } from './work/operator/list-work-items.ts'

/** Operations across all rooms that a working day begins with. */
export const workbenchOperations: readonly OperatorOperation[] = [
  listWork, //                         GET   /work
  listWorkItems, //                    GET   /work/:kind
  search, //                           POST  /search
  getOrderTimeline, //                 GET   /orders/:orderId/timeline
  getAccountTimeline, //               GET   /accounts/:accountId/timeline
  getOfferingTimeline, //              GET   /offerings/:offeringId/timeline
  createNote, //                       POST  /notes
  listNotes, //                        GET   /notes
  deleteNote, //                       POST  /notes/:noteId/delete
  createSavedView, //                  POST  /saved-views
  listSavedViews, //                   GET   /saved-views
  updateSavedView, //                  PATCH /saved-views/:viewId
  deleteSavedView, //                  POST  /saved-views/:viewId/delete
]
