import type { FastifyInstance } from 'fastify'
import type { PipelineServices } from '../../platform/api/declare/services.ts'
import { servePages } from './pages.ts'
import { serveProviderCallback } from './provider-callback.ts'
import { serveProviderLogout } from './provider-logout.ts'

/** Adds the routes of the sign-in that are not operations: its pages, and those that a provider calls. */
export function addSignInRoutes(app: FastifyInstance, services: PipelineServices): void {
  servePages(app)
  serveProviderCallback(app, services)
  serveProviderLogout(app, services)
}
