// Made by `npm run sdk:generate` from service/openapi.json. Do not edit.

export interface components {
    schemas: {
        Account: {
            /**
             * @description The account.
             * @example 019f2245-6100-7d2d-85f3-4ba718e47636
             */
            id: string;
            /** @enum {string} */
            type: "INDIVIDUAL" | "COMPANY" | (string & {});
            communication: components["schemas"]["Communication"];
            bank_account: components["schemas"]["BankAccount"];
            is_beneficiary: boolean;
            tax_information?: components["schemas"]["TaxInformation"];
            individual?: components["schemas"]["Individual"];
            company?: components["schemas"]["Company"];
            kyc: components["schemas"]["Approval"];
            kyb: components["schemas"]["Approval"];
        };
        AccountChange: {
            communication?: components["schemas"]["Communication"];
            bank_account?: components["schemas"]["BankAccount"];
            tax_information?: components["schemas"]["TaxInformation"];
            kyc?: components["schemas"]["Approval"];
            kyb?: components["schemas"]["Approval"];
        };
        AccountSummary: {
            /**
             * @description The account.
             * @example 019f2245-6100-7d2d-85f3-4ba718e47636
             */
            id: string;
            /**
             * @description First and last name, or the name of the company.
             * @example Ada Lovelace
             */
            full_name: string;
            /** @example ada@example.com */
            email: string;
            /** @enum {string} */
            type: "INDIVIDUAL" | "COMPANY" | (string & {});
        };
        AdvancedClock: {
            /** @example 86400 */
            advanced_seconds: number;
            /**
             * @description That wait for their payment.
             * @example 3
             */
            orders: number;
            /**
             * @description That wait for the proof of their owner.
             * @example 0
             */
            wallets: number;
            /**
             * Format: date-time
             * @description When that was. Workers act on what is due within a second or two.
             * @example 2026-07-02T10:00:00.000Z
             */
            checked_at: string;
        };
        Approval: {
            /** @enum {string} */
            status: "NEW" | "DEACTIVATED" | "PENDING" | "APPROVED" | "REJECTED" | (string & {});
        };
        AuthRequest: {
            /**
             * @description The id of the credential.
             * @example 0d9ad80b-9acb-4d8c-b1e6-21e79a0b7f99
             */
            client_id: string;
            /**
             * @description One of the live secrets of the credential.
             * @example its_your-client-secret
             */
            client_secret: string;
            /**
             * @description What the token shall be allowed to do. All of it must be granted to the credential.
             * @example [
             *       "offering.read",
             *       "order.create",
             *       "order.read"
             *     ]
             */
            scopes: ("offering.read" | "account.create" | "account.read" | "account.update" | "wallet.read" | "order.create" | "order.read" | "order.update" | "order.delete")[];
            /**
             * @description The version of the contract. Default: that of the credential.
             * @enum {string}
             */
            api_version?: "2026-07-02";
        };
        AuthResponse: {
            /**
             * @description An HS256 JWT.
             * @example eyJhbGciOiJIUzI1NiJ9.claims.signature
             */
            access_token: string;
            /** @constant */
            token_type: "Bearer";
            /**
             * Format: date-time
             * @description When the token ends, 600 seconds after its issue.
             * @example 2026-07-02T10:00:00.000Z
             */
            expires_at: string;
        };
        BankAccount: {
            /** @example Ada Lovelace */
            account_holder: string;
            /** @example Testbank */
            bank: string;
            /** @example COBADEFFXXX */
            bic: string;
            /**
             * Format: country-code
             * @description Where the bank is.
             * @example DE
             */
            country: string;
            /** @example EUR */
            currency: string;
            /** @example DE89370400440532013000 */
            iban: string;
        };
        BenefitingPerson: {
            /**
             * @description The benefiting person.
             * @example 019f2245-6100-7346-841c-2217722a7724
             */
            id: string;
            /** @example Grace */
            firstname: string;
            /** @example Hopper */
            lastname: string;
            /** @example Hauptstr. 2 */
            street: string;
            /** @example 10115 */
            zip: string;
            /** @example Berlin */
            state: string;
            /** @example Berlin */
            city: string;
            /**
             * Format: country-code
             * @description Where the person lives.
             * @example DE
             */
            country: string;
        };
        Blocker: {
            /** @enum {string} */
            code: "payment_missing" | "payment_overdue" | "approval_missing" | "benefiting_person_missing" | "wallet_missing" | "acceptance_missing" | "token_missing" | "minting_stopped" | "mint_held" | (string & {});
            /**
             * @description What is missing.
             * @example The kyc status of the account is PENDING.
             */
            message: string;
            /**
             * @description What would clear it.
             * @example Set kyc of the account to APPROVED.
             */
            remedy: string;
        };
        ClockSimulation: {
            /**
             * @description How much nearer every deadline of your tenant comes.
             * @example 86400
             */
            advance_seconds: number;
        };
        Communication: {
            /**
             * Format: email
             * @example ada@example.com
             */
            email: string;
            /** @description Whether you have confirmed the address. */
            email_confirmed: boolean;
        };
        Company: {
            /** @example Analytical GmbH */
            name: string;
            /** @example HRB 12345 */
            registration_number: string;
            /** @example GmbH */
            legal_form: string;
            /**
             * @description Where a company has none, send a filler.
             * @example DE123456789
             */
            vat_id: string;
            /**
             * Format: date
             * @description Date of incorporation.
             * @example 1985-12-10
             */
            incorporation_date: string;
            /** @example Hauptstr. 1 */
            street: string;
            /** @example Berlin */
            city: string;
            /** @example 10115 */
            zip: string;
            /**
             * @description Where a country has no states, send the region or a filler.
             * @example Berlin
             */
            state: string;
            /**
             * Format: country-code
             * @description Where it is.
             * @example DE
             */
            country: string;
            /** @example +4930123456 */
            phone: string;
        };
        DecisionSimulation: {
            /** @enum {string} */
            kyc?: "NEW" | "DEACTIVATED" | "PENDING" | "APPROVED" | "REJECTED";
            /** @enum {string} */
            kyb?: "NEW" | "DEACTIVATED" | "PENDING" | "APPROVED" | "REJECTED";
        };
        Error: {
            error: {
                /** @description The kind of error. */
                type: string;
                /** @description For people; its wording may change. */
                message: string;
                /** @description For programs; never changes its meaning. */
                code: string;
                /** @description All that is wrong with the request. */
                errors?: components["schemas"]["Failure"][];
            };
        };
        Event: {
            /**
             * @description The event.
             * @example 019f2245-6100-7437-865e-de20e92c719f
             */
            id: string;
            /**
             * @description Its number among the events of your tenant.
             * @example 1
             */
            sequence: number;
            /**
             * @description What happened.
             * @enum {string}
             */
            type: "account.created" | "account.updated" | "account.approval_changed" | "benefiting_person.created" | "offering.opened" | "offering.closed" | "order.created" | "order.part_paid" | "order.paid" | "order.not_paid_in_time" | "order.extended" | "order.accepted" | "order.blocked" | "order.ready_to_mint" | "order.gate_lost" | "order.minting" | "order.mint_failed" | "order.minted" | "order.cancelled" | "payment.received" | "refund.due" | "refund.sent" | "refund.settled" | "refund.failed" | "refund.withdrawn" | "wallet.registered" | "wallet.activated" | "wallet.suspended" | "wallet.resumed" | "wallet.retired" | "wallet.reopened" | "wallet.expired" | "transaction.pending" | "transaction.confirmed" | "credential.issued" | "credential.changed" | "credential.rotated" | "credential.disabled" | (string & {});
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-07-02T10:00:00.000Z
             */
            created_at: string;
            /**
             * @description The version of the contract that the data is written in.
             * @example 2026-07-02
             */
            api_version: string;
            /**
             * @description Ids, states and amounts; never anything of a person.
             * @example {
             *       "account_id": "019f2245-6100-7000-8000-000000000000",
             *       "type": "INDIVIDUAL"
             *     }
             */
            data: {
                [key: string]: unknown;
            };
        };
        EventPage: {
            events: components["schemas"]["Event"][];
            /**
             * @description The number of the last event of your tenant, whether or not you may read it.
             * @example 1
             */
            last_sequence: number;
            /**
             * @description Where to go on, or null where there is no more yet: then ask again after the last sequence.
             * @example null
             */
            next: string | null;
        };
        /** @description One thing that is wrong with a request, and where. */
        Failure: {
            /** @description What is wrong and what is expected. */
            detail: string;
            /** @description Where in the body, as a JSON pointer. */
            pointer: string;
        } | {
            /** @description What is wrong and what is expected. */
            detail: string;
            /** @description Which path or query parameter. */
            parameter: string;
        } | {
            /** @description What is wrong and what is expected. */
            detail: string;
            /** @description Which header. */
            header: string;
        };
        Individual: {
            /** @example Ada */
            firstName: string;
            /** @example Lovelace */
            lastName: string;
            /**
             * Format: date
             * @description Date of birth.
             * @example 1985-12-10
             */
            birth_date: string;
            /** @example Berlin */
            birth_place: string;
            /**
             * Format: country-code
             * @description Citizenship.
             * @example DE
             */
            citizenship: string;
            /**
             * @description Empty when not stated.
             * @default
             * @enum {string}
             */
            gender: "" | "F" | "M" | "D" | (string & {});
            /** @example Hauptstr. 1 */
            street: string;
            /** @example Berlin */
            city: string;
            /** @example 10115 */
            zip: string;
            /**
             * @description Where a country has no states, send the region or a filler.
             * @example Berlin
             */
            state: string;
            /**
             * Format: country-code
             * @description Where it is.
             * @example DE
             */
            country: string;
            /** @example +4930123456 */
            phone: string;
        };
        LoggedRequest: {
            /**
             * @description The entry of the log.
             * @example 019f2245-6100-78c3-8c51-89b76c988948
             */
            id: string;
            /**
             * @description The X-Request-Id of the answer.
             * @example 019f2245-6100-786a-8bdd-11e3c193610f
             */
            request_id: string;
            /**
             * Format: date-time
             * @description When it was answered.
             * @example 2026-07-02T10:00:00.000Z
             */
            answered_at: string;
            /** @example POST */
            method: string;
            /**
             * @description The path with the names of its parameters, not their values.
             * @example /api/offerings/:offeringId/orders
             */
            path: string;
            /** @example 201 */
            status: number;
            /** @example null */
            code: string | null;
            /** @example 12.5 */
            duration_ms: number;
            /** @example null */
            idempotency_key: string | null;
        };
        MintFailure: {
            /**
             * @description The offering.
             * @example 019f2245-6100-722e-8678-9d34cedfcb2b
             */
            offering_id: string;
            /** @example true */
            failing: boolean;
            /** @example 0 */
            released_orders: number;
        };
        MintFailureSimulation: {
            /**
             * @description Whether the token refuses mints from now on. False also releases the orders that are held.
             * @example true
             */
            failing: boolean;
        };
        NewAccount: {
            /** @enum {string} */
            type: "INDIVIDUAL" | "COMPANY";
            individual?: components["schemas"]["NewIndividual"];
            company?: components["schemas"]["Company"];
            communication: components["schemas"]["Communication"];
            bank_account: components["schemas"]["BankAccount"];
            /** @description Kept and echoed; has no effect. */
            is_beneficiary: boolean;
            tax_information?: components["schemas"]["TaxInformation"];
            kyc?: components["schemas"]["NewApproval"];
            kyb?: components["schemas"]["NewApproval"];
        };
        NewApproval: {
            /** @enum {string} */
            status?: "NEW" | "DEACTIVATED" | "PENDING" | "APPROVED" | "REJECTED";
        };
        NewBenefitingPerson: {
            /** @example Grace */
            firstname: string;
            /** @example Hopper */
            lastname: string;
            /** @example Hauptstr. 2 */
            street: string;
            /** @example 10115 */
            zip: string;
            /** @example Berlin */
            state: string;
            /** @example Berlin */
            city: string;
            /**
             * Format: country-code
             * @description Where the person lives.
             * @example DE
             */
            country: string;
        };
        NewIndividual: {
            /** @example Ada */
            firstName: string;
            /** @example Lovelace */
            lastName: string;
            /**
             * Format: date
             * @description Date of birth.
             * @example 1985-12-10
             */
            birth_date: string;
            /** @example Berlin */
            birth_place: string;
            /**
             * Format: country-code
             * @description Citizenship.
             * @example DE
             */
            citizenship: string;
            /**
             * @description Empty when not stated.
             * @default
             * @enum {string}
             */
            gender?: "" | "F" | "M" | "D";
            /** @example Hauptstr. 1 */
            street: string;
            /** @example Berlin */
            city: string;
            /** @example 10115 */
            zip: string;
            /**
             * @description Where a country has no states, send the region or a filler.
             * @example Berlin
             */
            state: string;
            /**
             * Format: country-code
             * @description Where it is.
             * @example DE
             */
            country: string;
            /** @example +4930123456 */
            phone: string;
        };
        NewOrder: {
            /**
             * @description The account that buys.
             * @example 019f2245-6100-7d2d-85f3-4ba718e47636
             */
            account_id: string;
            /**
             * Format: uint256
             * @description How much to buy, in the smallest token unit: amount * 10^decimals. At most 2^256 - 1.
             * @example 1000000000
             */
            units: bigint;
            /** @enum {string} */
            payment_provider?: "bank_transfer" | "stripe" | "checkout" | "tokensale";
        };
        NoticeOutcome: {
            /**
             * @description `booked`: given to an order. `waiting`: an operator decides. `ignored`: tells of no payment.
             * @enum {string}
             */
            outcome: "booked" | "waiting" | "ignored" | (string & {});
        };
        Offering: {
            /**
             * @description The offering.
             * @example 019f2245-6100-722e-8678-9d34cedfcb2b
             */
            id: string;
            /** @example Harbour Bond 2031 */
            name: string;
            /** @example HARB */
            symbol: string;
            /** @example ethereum */
            blockchain: string;
            /** @example permissioned-token */
            tokenization_platform: string;
            /**
             * @description Decimal places of the token: units = amount * 10^decimals.
             * @example 8
             */
            decimals: number;
            /** @enum {string} */
            type: "EQUITY_TRADITIONAL" | "EQUITY_TOKENIZED" | "EQUITY_SPV_DIGITAL" | "DEBT_TRADITIONAL" | "DEBT_TOKENIZED" | "DEBT_SPV_DIGITAL" | "ACCESS_TRADITIONAL" | "ACCESS_TOKENIZED" | "ART_COLLECTION" | "ART_TOKENIZED" | (string & {});
            /**
             * @description Price of one whole token, in the currency of the offering.
             * @example 12.5
             */
            price_per_token: string;
            /** @enum {string} */
            status: "OPEN" | "CLOSED" | (string & {});
            /**
             * @description ISO 4217.
             * @example EUR
             */
            currency: string;
            /**
             * @description Empty when there is none.
             * @example
             */
            logo: string;
            /** @example null */
            token_address: string | null;
            /**
             * @description All there are.
             * @example 100000000000000
             */
            total_units: bigint;
            /**
             * @description What can still be ordered.
             * @example 99000000000000
             */
            available_units: bigint;
            min_units: bigint | null;
            /** @example null */
            max_units: bigint | null;
            opens_at: string | null;
            /** @example null */
            closes_at: string | null;
        };
        OfferingSummary: {
            /**
             * @description The offering.
             * @example 019f2245-6100-722e-8678-9d34cedfcb2b
             */
            id: string;
            /** @example Harbour Bond 2031 */
            name: string;
            /** @example HARB */
            symbol: string;
            /** @example ethereum */
            blockchain: string;
            /** @example permissioned-token */
            tokenization_platform: string;
            /**
             * @description Decimal places of the token: units = amount * 10^decimals.
             * @example 8
             */
            decimals: number;
            /** @enum {string} */
            type: "EQUITY_TRADITIONAL" | "EQUITY_TOKENIZED" | "EQUITY_SPV_DIGITAL" | "DEBT_TRADITIONAL" | "DEBT_TOKENIZED" | "DEBT_SPV_DIGITAL" | "ACCESS_TRADITIONAL" | "ACCESS_TOKENIZED" | "ART_COLLECTION" | "ART_TOKENIZED" | (string & {});
            /**
             * @description Price of one whole token, in the currency of the offering.
             * @example 12.5
             */
            price_per_token: string;
        };
        Order: {
            /**
             * @description The order.
             * @example 019f2245-6100-7888-8587-e97678a5232e
             */
            id: string;
            /**
             * @description How much was ordered, in the smallest token unit.
             * @example 1000000000
             */
            units: bigint;
            /**
             * @description What it costs.
             * @example 125
             */
            total_amount: number;
            payment_provider: ("bank_transfer" | "stripe" | "checkout" | "tokensale") | null;
            /** @example null */
            paid_at: string | null;
            /**
             * @description What has been paid so far; 0 before the first payment.
             * @example 0
             */
            paid_amount: number;
            /** @example EUR */
            currency: string;
            /** @enum {string} */
            status: "ORDERED" | "PAID" | "NOPAYMENT" | "READYTOMINT" | "MINTING" | "MINTED" | "CANCELLED" | (string & {});
            account: components["schemas"]["AccountSummary"];
            offering: components["schemas"]["OfferingSummary"];
            payment_bank_account: components["schemas"]["PaymentBankAccount"];
            /**
             * Format: date-time
             * @description When it was ordered.
             * @example 2026-07-02T10:00:00.000Z
             */
            created_at: string;
        };
        OrderCancellation: {
            /**
             * @description The order.
             * @example 019f2245-6100-7888-8587-e97678a5232e
             */
            id: string;
            /** @constant */
            status: "CANCELLED";
            /**
             * Format: date-time
             * @description When it was cancelled.
             * @example 2026-07-02T10:00:00.000Z
             */
            cancellation_date: string;
        };
        OrderOfAccount: {
            /**
             * @description The order.
             * @example 019f2245-6100-7888-8587-e97678a5232e
             */
            id: string;
            /**
             * @description How much was ordered, in the smallest token unit.
             * @example 1000000000
             */
            units: bigint;
            /**
             * @description What it costs.
             * @example 125
             */
            total_amount: number;
            payment_provider: ("bank_transfer" | "stripe" | "checkout" | "tokensale") | null;
            /** @example null */
            paid_at: string | null;
            /**
             * @description What has been paid so far; 0 before the first payment.
             * @example 0
             */
            paid_amount: number;
            /** @example EUR */
            currency: string;
            /** @enum {string} */
            status: "ORDERED" | "PAID" | "NOPAYMENT" | "READYTOMINT" | "MINTING" | "MINTED" | "CANCELLED" | (string & {});
            offering: components["schemas"]["OfferingSummary"];
        };
        OrderOfOffering: {
            /**
             * @description The order.
             * @example 019f2245-6100-7888-8587-e97678a5232e
             */
            id: string;
            /**
             * @description How much was ordered, in the smallest token unit.
             * @example 1000000000
             */
            units: bigint;
            /**
             * @description What it costs.
             * @example 125
             */
            total_amount: number;
            payment_provider: ("bank_transfer" | "stripe" | "checkout" | "tokensale") | null;
            /** @example null */
            paid_at: string | null;
            /**
             * @description What has been paid so far; 0 before the first payment.
             * @example 0
             */
            paid_amount: number;
            /** @example EUR */
            currency: string;
            /** @enum {string} */
            status: "ORDERED" | "PAID" | "NOPAYMENT" | "READYTOMINT" | "MINTING" | "MINTED" | "CANCELLED" | (string & {});
            account: components["schemas"]["AccountSummary"];
        };
        Pagination: {
            /**
             * @description How many there are in all.
             * @example 1
             */
            count: number;
            /**
             * @description How many pages of this limit that makes.
             * @example 1
             */
            total_pages: number;
            /** @description The page that begins at this offset. */
            current_page: number;
            /** @description How many a page has at most. */
            limit: number;
            /**
             * @description How many were passed over.
             * @example 0
             */
            offset: number;
            /**
             * @description The next page, or null on the last one.
             * @example null
             */
            next: string | null;
            /**
             * @description The page before, or null on the first one.
             * @example null
             */
            previous: string | null;
        };
        /** @description Where to pay to. */
        PaymentBankAccount: {
            /** @example Harbour Issuer GmbH */
            account_holder: string;
            /** @example Testbank */
            bank: string;
            /** @example COBADEFFXXX */
            bic: string;
            /** @example DE89370400440532013000 */
            iban: string;
            /** @example EUR */
            currency: string;
        };
        /** @description As the provider writes it. */
        PaymentNotice: {
            /** @description What it tells of. */
            type: string;
        };
        PaymentSimulation: {
            /**
             * @description `exact`: what is missing. `short`: half of it. `over`: half more than it, which is owed back. `late`: all of it after the deadline, which passes first. `twice`: the same payment told twice, which counts once.
             * @example exact
             * @enum {string}
             */
            kind: "exact" | "short" | "over" | "late" | "twice";
            /**
             * @description This much instead.
             * @example 125.00
             */
            amount?: string;
        };
        Reorganisation: {
            /** @example anvil */
            blockchain: string;
            /** @example 2 */
            depth: number;
        };
        ReorganisationSimulation: {
            /**
             * @description The chain of this offering.
             * @example 019f2245-6100-722e-8678-9d34cedfcb2b
             */
            offering_id: string;
            /**
             * @description How many blocks are taken back. Those that are final cannot be.
             * @example 2
             */
            depth: number;
        };
        RequestPage: {
            requests: components["schemas"]["LoggedRequest"][];
            /** @example null */
            next: string | null;
        };
        SimulatedOrder: {
            /**
             * @description The order.
             * @example 019f2245-6100-7888-8587-e97678a5232e
             */
            id: string;
            /** @enum {string} */
            status: "ORDERED" | "PAID" | "NOPAYMENT" | "READYTOMINT" | "MINTING" | "MINTED" | "CANCELLED" | (string & {});
            /**
             * @description What has been paid so far; 0 before the first payment.
             * @example 0
             */
            paid_amount: number;
            /**
             * @description What it costs.
             * @example 125
             */
            total_amount: number;
            /** @example EUR */
            currency: string;
            /**
             * @description What the buyer writes on the transfer.
             * @example RF18539007547034
             */
            payment_reference: string;
            /**
             * Format: date-time
             * @description Until when it must be paid.
             * @example 2026-07-02T10:00:00.000Z
             */
            payment_due_at: string;
            /** @description Why it does not advance. */
            blockers: components["schemas"]["Blocker"][];
        };
        TaxInformation: {
            non_assessment_certificate: boolean;
            /** @example 12345678901 */
            tax_identification_number: string;
            is_subject_to_german_tax: boolean;
        };
        Transaction: {
            /**
             * @description The transaction.
             * @example 019f2245-6100-7ded-86bf-ceeb8a1c53fa
             */
            id: string;
            /**
             * @description The account.
             * @example 019f2245-6100-7d2d-85f3-4ba718e47636
             */
            account_id: string;
            /**
             * @description The wallet.
             * @example 019f2245-6100-7b18-8b70-9fca25eecfc4
             */
            wallet_id: string;
            /** @example 0x52908400098527886E0F7030069857D2E4169EE7 */
            wallet_address: string;
            /**
             * @description The offering whose token it is.
             * @example 019f2245-6100-722e-8678-9d34cedfcb2b
             */
            offering_id: string;
            /**
             * @description Name of the offering.
             * @example Harbour Bond 2031
             */
            name: string;
            /** @example HARB */
            symbol: string;
            /** @example 8 */
            decimals: number;
            /**
             * @description As seen from the account: TRANSFER is between two of its wallets; SEND and RECEIVE have somebody else.
             * @enum {string}
             */
            transaction_type: "MINT" | "SEND" | "RECEIVE" | "TRANSFER" | (string & {});
            /** @example 0xabababababababababababababababababababababababababababababababab */
            transaction_hash: string;
            /**
             * @description How much moved.
             * @example 1000000000
             */
            units: bigint;
            /**
             * @description pending while its block is not final.
             * @enum {string}
             */
            status: "confirmed" | "pending" | (string & {});
            /** @example null */
            tx_from: string | null;
            /** @example 0x52908400098527886E0F7030069857D2E4169EE7 */
            tx_to: string;
            /**
             * Format: date-time
             * @description Time of its block.
             * @example 2026-07-02T10:00:00.000Z
             */
            block_timestamp: string;
        };
        Transfer: {
            /** @example 0xabababababababababababababababababababababababababababababababab */
            transaction_hash: string;
        };
        TransferSimulation: {
            /**
             * @description Whose tokens.
             * @example 019f2245-6100-722e-8678-9d34cedfcb2b
             */
            offering_id: string;
            /**
             * @description A wallet that a simulation has made: nobody else’s key is known.
             * @example 019f2245-6100-7b18-8b70-9fca25eecfc4
             */
            from_wallet_id: string;
            /**
             * @description Any wallet of your accounts on the same chain.
             * @example 019f2245-6100-7438-85b3-4b5638d2afad
             */
            to_wallet_id: string;
            /**
             * Format: uint256
             * @description How much, in the smallest token unit.
             * @example 1000
             */
            units: bigint;
        };
        Wallet: {
            /**
             * @description The wallet.
             * @example 019f2245-6100-7b18-8b70-9fca25eecfc4
             */
            id: string;
            /** @example 0x52908400098527886E0F7030069857D2E4169EE7 */
            public_address: string;
            /** @example Main wallet */
            name: string;
            /** @enum {string} */
            provider: "METAMASK" | "WALLETCONNECT" | "FIREBLOCKS" | "CONCORDIUM" | "MAGIC_LINK" | "STELLAR" | (string & {});
            /** @enum {string} */
            type: "BROWSER_WALLET" | "MOBILE_WALLET" | "POINT_WALLET" | (string & {});
            /** @enum {string} */
            status: "ACTIVE" | "INACTIVE" | "SUSPENDED" | "PENDING" | "EXPIRED" | (string & {});
        };
        WalletBalance: {
            /**
             * @description The account.
             * @example 019f2245-6100-7d2d-85f3-4ba718e47636
             */
            account_id: string;
            /**
             * @description The wallet.
             * @example 019f2245-6100-7b18-8b70-9fca25eecfc4
             */
            wallet_id: string;
            /** @example 0x52908400098527886E0F7030069857D2E4169EE7 */
            wallet_address: string;
            /**
             * @description The offering whose token it is.
             * @example 019f2245-6100-722e-8678-9d34cedfcb2b
             */
            offering_id: string;
            /**
             * @description Name of the offering, in the language asked for where there is a translation.
             * @example Harbour Bond 2031
             */
            name: string;
            /**
             * @description Empty when there is none.
             * @example
             */
            logo: string;
            /** @example HARB */
            symbol: string;
            /** @example 8 */
            decimals: number;
            /**
             * @description What the wallet holds for good: confirmed transactions only.
             * @example 1000000000
             */
            balance: bigint;
        };
        WalletSimulation: {
            /**
             * @description On the chain of this offering; without it on the chain of development.
             * @example 019f2245-6100-722e-8678-9d34cedfcb2b
             */
            offering_id?: string;
        };
        Answers: {
            authenticate: components["schemas"]["AuthResponse"];
            createAccount: components["schemas"]["Account"];
            listAccounts: {
                pagination: components["schemas"]["Pagination"];
                results: components["schemas"]["Account"][];
            };
            getAccount: components["schemas"]["Account"];
            updateAccount: components["schemas"]["Account"];
            createBenefitingPerson: components["schemas"]["BenefitingPerson"];
            listBenefitingPersons: components["schemas"]["BenefitingPerson"][];
            listAccountOrders: {
                pagination: components["schemas"]["Pagination"];
                account: components["schemas"]["AccountSummary"];
                results: components["schemas"]["OrderOfAccount"][];
            };
            listTransactions: {
                pagination: components["schemas"]["Pagination"];
                results: components["schemas"]["Transaction"][];
            };
            listWallets: {
                pagination: components["schemas"]["Pagination"];
                results: components["schemas"]["Wallet"][];
            };
            listWalletBalances: {
                pagination: components["schemas"]["Pagination"];
                results: components["schemas"]["WalletBalance"][];
            };
            getWallet: components["schemas"]["Wallet"];
            listOfferings: {
                pagination: components["schemas"]["Pagination"];
                results: components["schemas"]["Offering"][];
            };
            getOffering: components["schemas"]["Offering"];
            createOrder: components["schemas"]["Order"];
            listOfferingOrders: {
                pagination: components["schemas"]["Pagination"];
                offering: components["schemas"]["OfferingSummary"];
                results: components["schemas"]["OrderOfOffering"][];
            };
            getOrder: components["schemas"]["Order"];
            cancelOrder: components["schemas"]["OrderCancellation"];
            listEvents: components["schemas"]["EventPage"];
            listRequests: components["schemas"]["RequestPage"];
            simulatePayment: components["schemas"]["SimulatedOrder"];
            simulatePaymentDeadline: components["schemas"]["SimulatedOrder"];
            simulateDecision: components["schemas"]["Account"];
            simulateWallet: components["schemas"]["Wallet"];
            simulateMintFailure: components["schemas"]["MintFailure"];
            simulateReorganisation: components["schemas"]["Reorganisation"];
            simulateTransfer: components["schemas"]["Transfer"];
            advanceClock: components["schemas"]["AdvancedClock"];
        };
        Bodies: {
            authenticate: components["schemas"]["AuthRequest"];
            createAccount: components["schemas"]["NewAccount"];
            updateAccount: components["schemas"]["AccountChange"];
            createBenefitingPerson: components["schemas"]["NewBenefitingPerson"];
            createOrder: components["schemas"]["NewOrder"];
            simulatePayment: components["schemas"]["PaymentSimulation"];
            simulateDecision: components["schemas"]["DecisionSimulation"];
            simulateWallet: components["schemas"]["WalletSimulation"];
            simulateMintFailure: components["schemas"]["MintFailureSimulation"];
            simulateReorganisation: components["schemas"]["ReorganisationSimulation"];
            simulateTransfer: components["schemas"]["TransferSimulation"];
            advanceClock: components["schemas"]["ClockSimulation"];
        };
        Queries: {
            listAccounts: {
                /**
                 * @description How many to return.
                 * @default 10
                 */
                limit?: number;
                /**
                 * @description How many to pass over.
                 * @default 0
                 */
                offset?: number;
                /**
                 * @description Newest first (desc), or oldest first (asc): then the offset of an element never changes.
                 * @default desc
                 * @enum {string}
                 */
                direction?: "asc" | "desc";
            };
            listBenefitingPersons: {
                /** @description Ignored: this list is not paged. */
                limit?: unknown;
                /** @description Ignored: this list is not paged. */
                offset?: unknown;
            };
            listAccountOrders: {
                /**
                 * @description How many to return.
                 * @default 10
                 */
                limit?: number;
                /**
                 * @description How many to pass over.
                 * @default 0
                 */
                offset?: number;
                /**
                 * @description Newest first (desc), or oldest first (asc): then the offset of an element never changes.
                 * @default desc
                 * @enum {string}
                 */
                direction?: "asc" | "desc";
            };
            listTransactions: {
                /**
                 * @description How many to return.
                 * @default 10
                 */
                limit?: number;
                /**
                 * @description How many to pass over.
                 * @default 0
                 */
                offset?: number;
                /**
                 * @description Newest first (desc), or oldest first (asc): then the offset of an element never changes.
                 * @default desc
                 * @enum {string}
                 */
                direction?: "asc" | "desc";
            };
            listWallets: {
                /**
                 * @description How many to return.
                 * @default 10
                 */
                limit?: number;
                /**
                 * @description How many to pass over.
                 * @default 0
                 */
                offset?: number;
                /**
                 * @description Newest first (desc), or oldest first (asc): then the offset of an element never changes.
                 * @default desc
                 * @enum {string}
                 */
                direction?: "asc" | "desc";
            };
            listWalletBalances: {
                /**
                 * @description How many to return.
                 * @default 10
                 */
                limit?: number;
                /**
                 * @description How many to pass over.
                 * @default 0
                 */
                offset?: number;
                /**
                 * @description Newest first (desc), or oldest first (asc): then the offset of an element never changes.
                 * @default desc
                 * @enum {string}
                 */
                direction?: "asc" | "desc";
                /**
                 * @description The language of the names.
                 * @enum {string}
                 */
                lang?: "ar" | "de" | "en" | "es" | "fr";
                /**
                 * @description The same as lang.
                 * @enum {string}
                 */
                language?: "ar" | "de" | "en" | "es" | "fr";
                /**
                 * @description The same as lang.
                 * @enum {string}
                 */
                locale?: "ar" | "de" | "en" | "es" | "fr";
            };
            listOfferings: {
                /**
                 * @description How many to return.
                 * @default 10
                 */
                limit?: number;
                /**
                 * @description How many to pass over.
                 * @default 0
                 */
                offset?: number;
                /**
                 * @description Newest first (desc), or oldest first (asc): then the offset of an element never changes.
                 * @default desc
                 * @enum {string}
                 */
                direction?: "asc" | "desc";
            };
            listOfferingOrders: {
                /**
                 * @description How many to return.
                 * @default 10
                 */
                limit?: number;
                /**
                 * @description How many to pass over.
                 * @default 0
                 */
                offset?: number;
                /**
                 * @description Newest first (desc), or oldest first (asc): then the offset of an element never changes.
                 * @default desc
                 * @enum {string}
                 */
                direction?: "asc" | "desc";
            };
            listEvents: {
                /**
                 * @description The last sequence that you have seen.
                 * @default 0
                 */
                after?: number;
                /**
                 * @description How many to return.
                 * @default 10
                 */
                limit?: number;
                /**
                 * @description What happened.
                 * @enum {string}
                 */
                type?: "account.created" | "account.updated" | "account.approval_changed" | "benefiting_person.created" | "offering.opened" | "offering.closed" | "order.created" | "order.part_paid" | "order.paid" | "order.not_paid_in_time" | "order.extended" | "order.accepted" | "order.blocked" | "order.ready_to_mint" | "order.gate_lost" | "order.minting" | "order.mint_failed" | "order.minted" | "order.cancelled" | "payment.received" | "refund.due" | "refund.sent" | "refund.settled" | "refund.failed" | "refund.withdrawn" | "wallet.registered" | "wallet.activated" | "wallet.suspended" | "wallet.resumed" | "wallet.retired" | "wallet.reopened" | "wallet.expired" | "transaction.pending" | "transaction.confirmed" | "credential.issued" | "credential.changed" | "credential.rotated" | "credential.disabled";
            };
            listRequests: {
                /**
                 * @description Only entries older than this one.
                 * @example 019f2245-6100-7502-82f3-b07ebefaf9d6
                 */
                before?: string;
                /**
                 * @description Only those that were answered by an error.
                 * @enum {string}
                 */
                refused?: "true" | "false";
                /**
                 * @description How many to return.
                 * @default 10
                 */
                limit?: number;
            };
        };
    };
}
export type Account = components['schemas']['Account'];
export type AccountChange = components['schemas']['AccountChange'];
export type AccountSummary = components['schemas']['AccountSummary'];
export type AdvancedClock = components['schemas']['AdvancedClock'];
export type Approval = components['schemas']['Approval'];
export type AuthRequest = components['schemas']['AuthRequest'];
export type AuthResponse = components['schemas']['AuthResponse'];
export type BankAccount = components['schemas']['BankAccount'];
export type BenefitingPerson = components['schemas']['BenefitingPerson'];
export type Blocker = components['schemas']['Blocker'];
export type ClockSimulation = components['schemas']['ClockSimulation'];
export type Communication = components['schemas']['Communication'];
export type Company = components['schemas']['Company'];
export type DecisionSimulation = components['schemas']['DecisionSimulation'];
export type Error = components['schemas']['Error'];
export type Event = components['schemas']['Event'];
export type EventPage = components['schemas']['EventPage'];
export type Failure = components['schemas']['Failure'];
export type Individual = components['schemas']['Individual'];
export type LoggedRequest = components['schemas']['LoggedRequest'];
export type MintFailure = components['schemas']['MintFailure'];
export type MintFailureSimulation = components['schemas']['MintFailureSimulation'];
export type NewAccount = components['schemas']['NewAccount'];
export type NewApproval = components['schemas']['NewApproval'];
export type NewBenefitingPerson = components['schemas']['NewBenefitingPerson'];
export type NewIndividual = components['schemas']['NewIndividual'];
export type NewOrder = components['schemas']['NewOrder'];
export type NoticeOutcome = components['schemas']['NoticeOutcome'];
export type Offering = components['schemas']['Offering'];
export type OfferingSummary = components['schemas']['OfferingSummary'];
export type Order = components['schemas']['Order'];
export type OrderCancellation = components['schemas']['OrderCancellation'];
export type OrderOfAccount = components['schemas']['OrderOfAccount'];
export type OrderOfOffering = components['schemas']['OrderOfOffering'];
export type Pagination = components['schemas']['Pagination'];
export type PaymentBankAccount = components['schemas']['PaymentBankAccount'];
export type PaymentNotice = components['schemas']['PaymentNotice'];
export type PaymentSimulation = components['schemas']['PaymentSimulation'];
export type Reorganisation = components['schemas']['Reorganisation'];
export type ReorganisationSimulation = components['schemas']['ReorganisationSimulation'];
export type RequestPage = components['schemas']['RequestPage'];
export type SimulatedOrder = components['schemas']['SimulatedOrder'];
export type TaxInformation = components['schemas']['TaxInformation'];
export type Transaction = components['schemas']['Transaction'];
export type Transfer = components['schemas']['Transfer'];
export type TransferSimulation = components['schemas']['TransferSimulation'];
export type Wallet = components['schemas']['Wallet'];
export type WalletBalance = components['schemas']['WalletBalance'];
export type WalletSimulation = components['schemas']['WalletSimulation'];
export type Answers = components['schemas']['Answers'];
export type Bodies = components['schemas']['Bodies'];
export type Queries = components['schemas']['Queries'];
