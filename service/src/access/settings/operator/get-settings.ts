import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { TenantSettings } from '../tenant-settings.schema.ts'
import { findTenantSettings } from '../tenant-settings.sql.ts'

export const getSettings = operatorOperation(
  {
    id: 'getSettings',
    summary: 'Read the settings of your tenant',
    description: 'What your tenant decides for itself, besides its approval policies and duty pairs.',
    tag: 'Settings',
    method: 'GET',
    path: '/settings',
    duty: 'read',
    idempotency: 'none',
    success: { status: 200, body: TenantSettings },
    errors: [],
  },
  (_, { tenantId, tx }) => findTenantSettings(tx, tenantId),
)
