-- The logins of the evaluation with compose, each with one of the roles that the migrations create. Can run repeatedly.
select 'create role its_app login noinherit' where to_regrole('its_app') is null \gexec
alter role its_app password :'password';
grant investor_token_app to its_app;
select 'create role its_worker login noinherit' where to_regrole('its_worker') is null \gexec
alter role its_worker password :'password';
grant investor_token_worker to its_worker;
