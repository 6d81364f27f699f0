import { Modal } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { navigation } from './navigation.ts'

export function KeyHelp({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const general = [
    ['Ctrl K', t('keys.palette')],
    ['/', t('keys.palette')],
    ['?', t('keys.help')],
    ['j', t('keys.next')],
    ['k', t('keys.previous')],
    ['x', t('keys.select')],
    ['Space', t('keys.select')],
    ['Enter', t('keys.open')],
    ['a', t('keys.action')],
    ['Ctrl Enter', t('keys.submit')],
  ] as const
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('shell.keys')}
      size="lg"
      closeButtonProps={{ 'aria-label': t('parts.close') }}
    >
      <div className="halves">
        <dl className="facts">
          {general.map(([key, text]) => (
            <KeyRow key={key} keys={key} text={text} />
          ))}
        </dl>
        <dl className="facts">
          {navigation.flat().map(({ key, name }) => (
            <KeyRow key={key} keys={`g ${key}`} text={t(`nav.${name}`)} />
          ))}
        </dl>
      </div>
    </Modal>
  )
}

function KeyRow({ keys, text }: { keys: string; text: string }) {
  return (
    <>
      <dt>
        <kbd>{keys}</kbd>
      </dt>
      <dd>{text}</dd>
    </>
  )
}
