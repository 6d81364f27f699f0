import { fileURLToPath } from 'node:url'
import type { TestInstallation } from '../installation/test-installation.ts'

/** The two protections that isolate tenants: policies of row-level security, and predicates in the SQL. */
export type Protection = 'policies' | 'predicates'

/** Returns the modules that a process preloads to lose a protection. */
export function preloadWithout(protection: Protection | undefined): string[] {
  return protection === 'predicates' ? [fileURLToPath(new URL('./without-predicates.ts', import.meta.url))] : []
}

export async function disablePolicies(installation: TestInstallation, schemas: readonly string[]): Promise<void> {
  await installation.rows(`
      do $$
      declare isolated regclass;
      begin
        for isolated in
          select oid from pg_class where relrowsecurity and relnamespace = any ('{${schemas.join()}}'::regnamespace[])
        loop
          execute format('alter table %s no force row level security, disable row level security', isolated);
        end loop;
      end $$`)
}
