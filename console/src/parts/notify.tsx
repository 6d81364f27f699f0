import { notifications } from '@mantine/notifications'
import { Link } from '@tanstack/react-router'
import type { TFunction } from 'i18next'

export function notifyDone(text: string): void {
  notifications.show({ message: text, color: 'green', withBorder: true })
}

/** Reports that the change waits for a second person, names the duty that must confirm, and links to the proposal. */
export function notifyProposed(t: TFunction, duty: string): void {
  notifications.show({
    title: t('parts.secondPerson'),
    message: (
      <>
        {t('parts.secondPersonText', { duty })}{' '}
        <Link className="link" to="/approvals">
          {t('parts.openApprovals')}
        </Link>
      </>
    ),
    color: 'yellow',
    withBorder: true,
    autoClose: 12_000,
  })
}
